package dev.stowage.backend.vsc.central.volume;

import dev.stowage.backend.vsc.central.member.ClassSync;
import dev.stowage.backend.vsc.central.resource.Kind;
import dev.stowage.backend.vsc.central.resource.Names;
import dev.stowage.backend.vsc.central.resource.Resources;
import dev.stowage.core.backend.Volumes;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.NodeId;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.lane.Lanes;
import dev.stowage.core.page.Page;
import dev.stowage.core.page.PageRequest;
import dev.stowage.core.page.Paging;
import dev.stowage.core.volume.ContentSource;
import dev.stowage.core.volume.Sizes;
import dev.stowage.core.volume.Volume;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.kube.vsc.VolumeFlags;
import dev.stowage.kube.vsc.VolumeType;
import dev.stowage.kube.vsc.VscResources;
import dev.stowage.kube.vsc.VscVolume;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Volumes on arrays, as CSI asks for them. The resource's name is the volume's id. */
public final class VscVolumes implements Volumes {

    /** In the context of a volume: {@code NAS} or {@code Block}. */
    public static final String TYPE = "volumeType";

    static final long LARGEST = 512 * Sizes.TIB;
    private static final String NOTHING = "";

    private final Resources resources;
    private final VolumeKeeper keeper;
    private final VolumeEnd end;
    private final Lanes lanes;

    /** @param lanes shared with whoever else works on the resources */
    public VscVolumes(Resources resources, VolumeKeeper keeper, VolumeEnd end, Lanes lanes) {
        this.resources = resources;
        this.keeper = keeper;
        this.end = end;
        this.lanes = lanes;
    }

    /** The lane of a volume's resource. */
    public static List<Lanes.Wish> lane(String volume) {
        return List.of(Lanes.Wish.exclusive("volume resource", volume));
    }

    @Override
    public Volume create(Wanted wanted) {
        resources.requireReady();
        String name = Names.volume(wanted.name());
        var parameters = Parameters.parse(wanted.parameters(), wanted.uses());
        try (var _ = lanes.enter("CreateVolume", lane(name))) {
            // Mostly it is new; if it is not after all, making it finds it.
            var present = resources
                    .volumes()
                    .told(name)
                    .flatMap(told -> resources.volumes().find(name));
            present.ifPresent(volume -> requireSame(volume, wanted, parameters));
            var volume = present.orElseGet(() -> resources.volumes().create(order(name, wanted, parameters)));
            requireSame(volume, wanted, parameters);
            try {
                return shown(keeper.provide(volume));
            } catch (StowageException failed) {
                forgetIfNothingWasMade(name, failed);
                throw failed;
            }
        }
    }

    private VscVolume order(String name, Wanted wanted, Parameters parameters) {
        var storageClass = ClassSync.require(resources, parameters.className());
        var source = wanted.source().map(VscVolumes::source);
        long atLeast = source.map(each -> new Sources(resources).resolve(each).sizeBytes())
                .orElse(0L);
        long size = wanted.size().choose(Math.max(Sizes.GIB, atLeast), atLeast, LARGEST, Sizes.GIB);
        var volume = new VscVolume();
        volume.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withFinalizers(VscResources.FINALIZER)
                .withAnnotations(parameters.purge() ? Map.of(VolumeEnd.RECYCLE_BIN, VolumeEnd.PURGE) : null)
                .build());
        volume.setSpec(new VscVolume.Spec(
                storageClass.getMetadata().getName(),
                name,
                null,
                quantity(size),
                parameters.type(),
                flags(storageClass.getSpec().volumeFlags(), parameters),
                source.orElse(null)));
        return volume;
    }

    /** A copy keeps what its source was made with. */
    private static @Nullable VolumeFlags flags(@Nullable VolumeFlags ofClass, Parameters parameters) {
        if (parameters.options().isEmpty()) {
            return ofClass;
        }
        var extra = new TreeMap<String, String>();
        if (ofClass != null) {
            extra.putAll(ofClass.extra());
        }
        extra.putAll(parameters.options());
        return ofClass == null
                ? new VolumeFlags(false, false, false, extra)
                : new VolumeFlags(ofClass.compress(), ofClass.dedupe(), ofClass.encrypt(), extra);
    }

    private static void requireSame(VscVolume present, Wanted wanted, Parameters parameters) {
        var spec = present.getSpec();
        String name = VolumeKeeper.name(present);
        if (Kind.ending(present)) {
            throw StowageException.unavailable("volume %s is being deleted; repeat the call when it is gone", name);
        }
        String other = !wanted.size().contains(VolumeKeeper.size(present)) && !roundedUp(present, wanted)
                ? "of " + Sizes.text(VolumeKeeper.size(present))
                : spec.volumeType() != parameters.type()
                        ? "of type " + Kind.word(spec.volumeType())
                        : parameters
                                        .className()
                                        .filter(each -> !each.equals(spec.vscStorageClassName()))
                                        .isPresent()
                                ? "in VSCStorageClass " + spec.vscStorageClassName()
                                : !Objects.equals(
                                                spec.source(),
                                                wanted.source()
                                                        .map(VscVolumes::source)
                                                        .orElse(null))
                                        ? "with another content"
                                        : NOTHING;
        if (!other.isEmpty()) {
            throw StowageException.alreadyExists("volume %s is already there, %s", name, other);
        }
    }

    private static boolean roundedUp(VscVolume present, Wanted wanted) {
        return wanted.size().limit() == 0 && wanted.size().required() <= VolumeKeeper.size(present);
    }

    /** A wish that cannot be fulfilled leaves nothing behind; one of which an array may have a part stays on record. */
    private void forgetIfNothingWasMade(String name, StowageException failed) {
        boolean mayComeAgain =
                failed instanceof StowageException.Unavailable || failed instanceof StowageException.Busy;
        resources
                .volumes()
                .find(name)
                .filter(volume -> !mayComeAgain && volume.getStatus().vpsaId().isEmpty() && !Abandoned.any(volume))
                .ifPresent(volume -> {
                    resources.volumes().delete(volume);
                    resources.volumes().release(volume);
                });
    }

    @Override
    public void delete(VolumeId id) {
        resources.requireReady();
        try (var _ = lanes.enter("DeleteVolume", lane(id.value()))) {
            // An external volume was never made by us: its data stays, and so does its resource.
            var present = resources.volumes().find(id.value());
            if (present.isEmpty()) {
                return;
            }
            end.obstacle(present.get()).ifPresent(reason -> {
                throw StowageException.notPossible("volume %s cannot be deleted: %s", id, reason);
            });
            resources.volumes().delete(present.get());
            resources.volumes().find(id.value()).ifPresent(end::end);
        }
    }

    @Override
    public Volume find(VolumeId id) {
        resources.requireReady();
        return shown(require(id));
    }

    VscVolume require(VolumeId id) {
        return resources
                .volumes()
                .find(id.value())
                .filter(volume -> !Kind.ending(volume))
                .orElseThrow(() -> StowageException.notFound("volume %s does not exist", id));
    }

    @Override
    public Page<Volume> list(PageRequest page) {
        resources.requireReady();
        var all = new TreeMap<VolumeId, VscVolume>();
        resources.volumes().all().stream()
                .filter(volume -> VolumeKeeper.state(volume) == VscVolume.State.READY)
                .forEach(volume -> all.put(new VolumeId(VolumeKeeper.name(volume)), volume));
        return Paging.of(all, page, VolumeId::new, volume -> true).map(this::shown);
    }

    private Volume shown(VscVolume volume) {
        String name = VolumeKeeper.name(volume);
        return new Volume(
                new VolumeId(name),
                VolumeKeeper.size(volume),
                Map.of(TYPE, Kind.word(volume.getSpec().volumeType())),
                Optional.ofNullable(volume.getSpec().source()).map(VscVolumes::contentSource),
                List.of(),
                resources.attachments().by(Resources.BY_VOLUME, name).stream()
                        .map(attachment -> new NodeId(attachment.getSpec().vscNodeName()))
                        .collect(Collectors.toSet()));
    }

    private static VscVolume.Source source(ContentSource source) {
        return switch (source) {
            case ContentSource.OfVolume(var volume) -> new VscVolume.Source(volume.value(), null);
            case ContentSource.OfSnapshot(var snapshot) -> new VscVolume.Source(null, snapshot.value());
        };
    }

    private static ContentSource contentSource(VscVolume.Source source) {
        return source.snapshotName() == null
                ? new ContentSource.OfVolume(new VolumeId(String.valueOf(source.volumeName())))
                : new ContentSource.OfSnapshot(new SnapshotId(source.snapshotName()));
    }

    @Override
    public Optional<String> objection(
            VolumeId id,
            List<VolumeUse> uses,
            Map<String, String> context,
            Map<String, String> parameters,
            Map<String, String> mutableParameters) {
        resources.requireReady();
        var volume = require(id);
        boolean nas = volume.getSpec().volumeType() == VolumeType.NAS;
        return uses.stream().anyMatch(VolumeUse::block) && nas
                ? Optional.of("it is a NAS volume, which has no device")
                : Optional.empty();
    }

    @Override
    public boolean clonable() {
        return true;
    }

    static Quantity quantity(long bytes) {
        return bytes % Sizes.GIB == 0 ? new Quantity(bytes / Sizes.GIB + "Gi") : new Quantity(String.valueOf(bytes));
    }
}
