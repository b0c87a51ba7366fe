package dev.stowage.backend.vsc.central.member;

import dev.stowage.arrayapi.ArraySnapshot;
import dev.stowage.arrayapi.ArrayVolume;
import dev.stowage.backend.vsc.central.resource.Resources;
import dev.stowage.kube.vsc.VolumeType;
import dev.stowage.kube.vsc.Vpsa;
import dev.stowage.kube.vsc.VscExternalVolume;
import dev.stowage.kube.vsc.VscResources;
import dev.stowage.kube.vsc.VscSnapshot;
import dev.stowage.kube.vsc.VscVolume;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What was on an array before it became a member gets resources, and nothing on the array changes. */
public final class Import {

    /** On what an array had before: the end of such a resource is never the end of its data. */
    public static final String IMPORTED = "storage.stowage.dev/imported";

    private final Resources resources;

    public Import(Resources resources) {
        this.resources = resources;
    }

    /** All that is on an array. */
    public record Inventory(List<ArrayVolume> volumes, List<ArraySnapshot> snapshots) {
        public Inventory {
            volumes = List.copyOf(volumes);
            snapshots = List.copyOf(snapshots);
        }
    }

    /** Makes resources for what has none, and takes away those of what is gone. */
    void bringIn(Vpsa array, Inventory inventory) {
        String name = array.getMetadata().getName();
        var ours = resources.volumes().by(Resources.BY_ARRAY, name);
        // A volume in the making has no id yet, but its name on the array is on record before it is made there.
        var ids = ours.stream().map(volume -> volume.getStatus().id()).collect(Collectors.toSet());
        var names = ours.stream().map(volume -> volume.getSpec().displayName()).collect(Collectors.toSet());
        var resourceNames = new HashMap<String, String>();
        ours.forEach(volume ->
                resourceNames.put(volume.getStatus().id(), volume.getMetadata().getName()));
        var present = new HashSet<String>();
        for (var volume : inventory.volumes()) {
            if (!ids.contains(volume.id()) && !names.contains(volume.displayName())) {
                String made = bringIn(array, volume);
                present.add(made);
                resourceNames.put(volume.id(), made);
            }
        }
        resources.externalVolumes().by(Resources.BY_ARRAY, name).stream()
                .filter(volume -> !present.contains(volume.getMetadata().getName()))
                .forEach(volume -> {
                    resources.externalVolumes().delete(volume);
                    resources.externalVolumes().release(volume);
                });
        bringInSnapshots(array, inventory, resourceNames);
    }

    private String bringIn(Vpsa array, ArrayVolume volume) {
        String arrayName = array.getMetadata().getName();
        String name = arrayName + "-" + volume.id();
        if (resources.externalVolumes().told(name).isPresent()) {
            return name;
        }
        var resource = new VscExternalVolume();
        resource.setMetadata(metadata(name));
        resource.setSpec(new VscVolume.Spec(
                array.getSpec().vscStorageClassName(),
                volume.displayName(),
                volume.comment().isEmpty() ? null : volume.comment(),
                new Quantity(String.valueOf(volume.sizeBytes())),
                volume.block() ? VolumeType.BLOCK : VolumeType.NAS,
                null,
                null));
        var made = resources.externalVolumes().create(resource);
        var _ = resources
                .externalVolumes()
                .status(
                        made,
                        new VscVolume.Status(
                                VscVolume.State.READY,
                                arrayName,
                                volume.id(),
                                volume.group(),
                                volume.pool(),
                                volume.block() ? null : new VscVolume.Nas(volume.exportPath(), false),
                                volume.block() ? new VscVolume.Block() : null,
                                null));
        return name;
    }

    private void bringInSnapshots(Vpsa array, Inventory inventory, Map<String, String> volumes) {
        String arrayName = array.getMetadata().getName();
        var known = resources.snapshots().by(Resources.BY_ARRAY, arrayName);
        Set<String> ids = known.stream()
                .map(snapshot -> String.valueOf(snapshot.getStatus().vpsaSnapshotId()))
                .collect(Collectors.toSet());
        var names = resources.snapshots().all().stream()
                .map(snapshot -> snapshot.getSpec().displayName())
                .collect(Collectors.toSet());
        var groups = new HashMap<String, String>();
        inventory.volumes().forEach(volume -> groups.put(volume.group(), volume.id()));
        for (var snapshot : inventory.snapshots()) {
            String volume = snapshot.volume().isEmpty() ? groups.get(snapshot.group()) : snapshot.volume();
            String resourceName = volume == null ? null : volumes.get(volume);
            if (resourceName != null && !ids.contains(snapshot.id()) && !names.contains(snapshot.displayName())) {
                bringIn(arrayName, snapshot, String.valueOf(volume), resourceName);
            }
        }
        var there = inventory.snapshots().stream().map(ArraySnapshot::id).collect(Collectors.toSet());
        known.stream()
                .filter(Import::imported)
                .filter(snapshot -> !there.contains(snapshot.getStatus().vpsaSnapshotId()))
                .forEach(this::drop);
    }

    private void bringIn(String array, ArraySnapshot snapshot, String volumeId, String volume) {
        var resource = new VscSnapshot();
        resource.setMetadata(metadata(array + "-" + snapshot.id()));
        resource.setSpec(new VscSnapshot.Spec(
                snapshot.displayName().isEmpty() ? snapshot.id() : snapshot.displayName(), null, volume));
        var made = resources.snapshots().create(resource);
        var _ = resources
                .snapshots()
                .status(
                        made,
                        new VscSnapshot.Status(
                                VscSnapshot.State.READY,
                                new Quantity(String.valueOf(snapshot.sizeBytes())),
                                snapshot.takenAt().map(Object::toString).orElse(null),
                                array,
                                snapshot.group(),
                                snapshot.pool(),
                                volumeId,
                                snapshot.id(),
                                null));
    }

    /** The array leaves: what was brought in with it goes, and its data stays where it is. */
    void forget(String array) {
        resources.externalVolumes().by(Resources.BY_ARRAY, array).forEach(volume -> {
            resources.externalVolumes().delete(volume);
            resources.externalVolumes().release(volume);
        });
        resources.snapshots().by(Resources.BY_ARRAY, array).stream()
                .filter(Import::imported)
                .forEach(this::drop);
    }

    private void drop(VscSnapshot snapshot) {
        resources.snapshots().delete(snapshot);
        resources.snapshots().release(snapshot);
    }

    /** Whether this was brought in, so that its end is not the end of its data. */
    public static boolean imported(VscSnapshot snapshot) {
        var labels = snapshot.getMetadata().getLabels();
        return labels != null && labels.containsKey(IMPORTED);
    }

    private static ObjectMeta metadata(String name) {
        return new ObjectMetaBuilder()
                .withName(name)
                .withLabels(Map.of(IMPORTED, "true"))
                .withFinalizers(VscResources.FINALIZER)
                .build();
    }
}
