package dev.stowage.backend.local.cluster.central;

import dev.stowage.backend.local.cluster.order.ResourceNames;
import dev.stowage.backend.local.cluster.order.Wishes;
import dev.stowage.backend.local.volume.VolumeParameters;
import dev.stowage.backend.local.volume.VolumeRules;
import dev.stowage.core.backend.Volumes;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.page.Page;
import dev.stowage.core.page.PageRequest;
import dev.stowage.core.page.Paging;
import dev.stowage.core.volume.ContentSource;
import dev.stowage.core.volume.SizeRange;
import dev.stowage.core.volume.Volume;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.kube.local.LocalVolume;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Volumes of all nodes. */
final class CentralVolumes implements Volumes {

    private final Cluster cluster;
    private final Sources sources;
    private final Ordered ordering;

    CentralVolumes(Cluster cluster, Sources sources, Claims claims) {
        this.cluster = cluster;
        this.sources = sources;
        this.ordering = new Ordered(cluster, new Placement(cluster, claims));
    }

    /** How volumes are ordered. */
    private final class Ordered
            extends Ordering<LocalVolume.Spec, LocalVolume.Status, LocalVolume, Volumes.Wanted, Volume> {

        private final Placement placement;

        Ordered(Cluster cluster, Placement placement) {
            super(cluster.volumes(), cluster.nodes());
            this.placement = placement;
        }

        @Override
        ResourceNames.Candidates resourceNames(Wanted wanted) {
            return cluster.names().volume(wanted.name());
        }

        @Override
        LocalVolume.Spec order(Wanted wanted, Map<String, StowageException> refused) {
            var parameters = VolumeParameters.parse(wanted.parameters(), wanted.mutableParameters());
            String node = wanted.source()
                    .map(source -> nodeOf(source, wanted))
                    .orElseGet(() -> placement.blank(wanted, parameters, refused));
            return Wishes.order(wanted, node);
        }

        @Override
        void requireSame(LocalVolume existing, Wanted wanted) {
            requireSameWish(existing, wanted);
        }

        @Override
        LocalVolume.Spec again(LocalVolume.Spec spec) {
            return spec.next(null);
        }

        @Override
        LocalVolume.Spec deletion(LocalVolume.Spec spec) {
            return spec.next(LocalVolume.Task.deletion());
        }

        @Override
        Volume view(LocalVolume made) {
            return CentralVolumes.this.view(made);
        }

        @Override
        boolean movable(Wanted wanted) {
            return wanted.source().isEmpty();
        }
    }

    /** A copy is made where its source is. */
    private String nodeOf(ContentSource source, Wanted wanted) {
        String node = sources.node(source);
        var place = cluster.place(node);
        if (!wanted.topology().allows(place)) {
            throw StowageException.exhausted(
                    "volume '%s': a copy can only be where its source is, in %s, and is wanted elsewhere",
                    wanted.name(), place.segments());
        }
        return node;
    }

    private void requireSameWish(LocalVolume existing, Wanted wanted) {
        var spec = existing.getSpec();
        var asked = new SizeRange(spec.requiredBytes(), spec.limitBytes());
        if (existing.getStatus().made().isEmpty() && !asked.equals(wanted.size())) {
            throw StowageException.alreadyExists(
                    "volume '%s' is being made on node %s with another size; use another name, or wait and delete it first",
                    spec.name(), spec.node());
        }
        var made = new VolumeRules.Made(
                spec.name(),
                existing.getStatus().made().orElse("an order to node " + spec.node()),
                existing.getStatus().made().isEmpty()
                        ? wanted.size().required()
                        : existing.getStatus().sizeBytes(),
                Wishes.source(spec.source()),
                VolumeParameters.parse(spec.parameters(), spec.mutableParameters()),
                cluster.place(spec.node()));
        VolumeRules.requireSameWish(
                made, wanted, VolumeParameters.parse(wanted.parameters(), wanted.mutableParameters()));
    }

    @Override
    public Volume create(Wanted wanted) {
        wanted.uses().forEach(VolumeRules::requirePossible);
        VolumeParameters.parse(wanted.parameters(), wanted.mutableParameters()).smallestSize(wanted.uses());
        cluster.requireReady();
        return ordering.create(wanted);
    }

    @Override
    public void delete(VolumeId volume) {
        cluster.requireReady();
        cluster.volumes().liveWithId(volume.value()).ifPresent(order -> {
            requireUnpublished(volume, order);
            ordering.delete(order);
        });
    }

    private static void requireUnpublished(VolumeId volume, LocalVolume order) {
        if (!order.getSpec().attachments().isEmpty()) {
            throw StowageException.notPossible(
                    "volume %s is still published to node %s; unpublish it first",
                    volume, order.getSpec().attachments().getFirst().node());
        }
    }

    @Override
    public Volume find(VolumeId volume) {
        return view(require(volume));
    }

    LocalVolume require(VolumeId volume) {
        cluster.requireReady();
        return cluster.volumes()
                .withId(volume.value())
                .filter(Orders::exists)
                .orElseThrow(() -> StowageException.notFound("volume %s does not exist", volume));
    }

    /** The volume as it is now, for those who are about to change it. */
    LocalVolume requireNow(VolumeId volume) {
        cluster.requireReady();
        return cluster.volumes()
                .liveWithId(volume.value())
                .filter(Orders::exists)
                .orElseThrow(() -> StowageException.notFound("volume %s does not exist", volume));
    }

    /** Has something done to a volume by its node. */
    LocalVolume done(LocalVolume order, LocalVolume.Task task) {
        return ordering.done(order, spec -> spec.next(task));
    }

    @Override
    public Page<Volume> list(PageRequest page) {
        cluster.requireReady();
        var all = new TreeMap<VolumeId, LocalVolume>();
        cluster.volumes()
                .made()
                .forEach(order -> order.getStatus().made().ifPresent(id -> all.put(new VolumeId(id), order)));
        return Paging.of(all, page, VolumeId::new, order -> true).map(this::view);
    }

    private Volume view(LocalVolume order) {
        return new Volume(
                new VolumeId(order.getStatus().made().orElse("")),
                order.getStatus().sizeBytes(),
                order.getStatus().context(),
                Wishes.source(order.getSpec().source()),
                List.of(cluster.place(order.getSpec().node())),
                order.getSpec().attachments().stream()
                        .map(attachment -> new NodeId(attachment.node()))
                        .collect(Collectors.toUnmodifiableSet()));
    }

    @Override
    public Optional<String> objection(
            VolumeId volume,
            List<VolumeUse> uses,
            Map<String, String> context,
            Map<String, String> parameters,
            Map<String, String> mutableParameters) {
        var order = require(volume);
        var fixed = VolumeParameters.parse(
                        order.getSpec().parameters(), order.getSpec().mutableParameters())
                .fixed();
        return VolumeRules.objection(
                new VolumeParameters(fixed, order.getStatus().mutableParameters()),
                order.getStatus().sizeBytes(),
                order.getStatus().context(),
                uses,
                context,
                parameters,
                mutableParameters);
    }

    @Override
    public boolean clonable() {
        return true;
    }
}
