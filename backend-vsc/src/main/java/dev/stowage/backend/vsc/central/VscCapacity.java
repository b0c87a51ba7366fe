package dev.stowage.backend.vsc.central;

import dev.stowage.backend.vsc.central.member.ClassSync;
import dev.stowage.backend.vsc.central.member.Members;
import dev.stowage.backend.vsc.central.resource.Resources;
import dev.stowage.core.backend.Capacity;
import dev.stowage.core.volume.Sizes;
import dev.stowage.core.volume.Topology;
import dev.stowage.core.volume.VolumeUse;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is left in the arrays of a class. A volume is on one array, so that the largest possible one is what one array has left. */
final class VscCapacity implements Capacity {

    private final Resources resources;
    private final Members members;

    VscCapacity(Resources resources, Members members) {
        this.resources = resources;
        this.members = members;
    }

    @Override
    public Answer available(List<VolumeUse> uses, Map<String, String> parameters, Optional<Topology> place) {
        resources.requireReady();
        var storageClass = ClassSync.require(resources, Optional.ofNullable(parameters.get("VSCStorageClassName")));
        var room = resources
                .arrays()
                .by(Resources.BY_CLASS, storageClass.getMetadata().getName())
                .stream()
                .flatMap(array -> members.find(array.getMetadata().getName()).stream())
                .filter(member -> member.objection(Sizes.GIB).isEmpty())
                .mapToLong(member -> member.available())
                .summaryStatistics();
        return new Answer(room.getSum(), Sizes.GIB, Math.max(0, room.getMax()));
    }
}
