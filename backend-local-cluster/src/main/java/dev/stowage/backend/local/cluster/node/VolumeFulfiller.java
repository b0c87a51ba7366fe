package dev.stowage.backend.local.cluster.node;

import dev.stowage.backend.local.cluster.order.Wishes;
import dev.stowage.core.id.RequestName;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.lane.LaneNames;
import dev.stowage.core.lane.Lanes.Wish;
import dev.stowage.core.volume.ContentSource;
import dev.stowage.core.volume.SizeRange;
import dev.stowage.kube.local.LocalVolume;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes, grows, changes and removes the volumes that are ordered from this node. */
final class VolumeFulfiller extends Fulfiller<LocalVolume.Spec, LocalVolume.Status, LocalVolume> {

    private final NodePool pool;

    VolumeFulfiller(KubernetesClient client, Recipient recipient, NodePool pool, Runnable afterwards) {
        super(client, LocalVolume.class, "volume", recipient, afterwards);
        this.pool = pool;
    }

    @Override
    Map<String, @Nullable Object> make(LocalVolume order) {
        var wish = Wishes.wish(order.getSpec());
        var lanes = new ArrayList<Wish>(List.of(LaneNames.volumeName(wish.name())));
        wish.source()
                .ifPresent(source -> lanes.add(
                        switch (source) {
                            case ContentSource.OfSnapshot(var snapshot) -> LaneNames.snapshotShared(snapshot);
                            case ContentSource.OfVolume(var volume) -> LaneNames.volume(volume);
                        }));
        var volume = pool.in(lanes, "CreateVolume", () -> pool.volumes().create(wish));
        var status = new HashMap<String, @Nullable Object>();
        status.put("volumeId", volume.id().value());
        status.put("sizeBytes", volume.sizeBytes());
        status.put("context", volume.context());
        status.put("mutableParameters", pool.view().mutableParameters(volume.id()));
        return status;
    }

    @Override
    Map<String, @Nullable Object> work(LocalVolume order, String id) {
        var volume = new VolumeId(id);
        var task = order.getSpec().task();
        return pool.in(List.of(LaneNames.volume(volume)), "Change", () -> {
            if (task != null && task.growTo() != null) {
                grow(volume, task.growTo());
            } else if (task != null && !task.modify().isEmpty()) {
                pool.controller().modification().orElseThrow().modify(volume, task.modify());
            }
            var status = new HashMap<String, @Nullable Object>();
            status.put("sizeBytes", pool.volumes().find(volume).sizeBytes());
            status.put("mutableParameters", pool.view().mutableParameters(volume));
            return status;
        });
    }

    private void grow(VolumeId volume, LocalVolume.Growth growth) {
        pool.controller()
                .expansion()
                .orElseThrow()
                .expand(volume, new SizeRange(growth.requiredBytes(), growth.limitBytes()), Optional.empty());
    }

    @Override
    void remove(LocalVolume order) {
        made(order)
                .ifPresent(volume -> pool.run(
                        List.of(LaneNames.volume(volume)),
                        "DeleteVolume",
                        () -> pool.volumes().delete(volume)));
    }

    /** What the pool holds for the order. If it was not told yet, making what there is only finds it. */
    private Optional<VolumeId> made(LocalVolume order) {
        var told = order.getStatus().made().map(VolumeId::new);
        if (told.isPresent()
                || pool.view()
                        .volumeNamed(new RequestName(order.getSpec().name()))
                        .isEmpty()) {
            return told;
        }
        var wish = Wishes.wish(order.getSpec());
        return ours(() -> pool.in(
                List.of(LaneNames.volumeName(wish.name())),
                "FindVolume",
                () -> pool.volumes().create(wish).id()));
    }
}
