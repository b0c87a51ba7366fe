package dev.stowage.array.service;

import dev.stowage.array.record.VolumeRecord;
import dev.stowage.core.lane.Lanes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The names by which clients mount shared volumes. No two volumes have the same, and none has another one's id. */
final class ExportNames {

    /** Whoever gives a name holds this lane. */
    static final Lanes.Wish ANY = Parts.nameLane("export", "any");

    private final Parts parts;

    ExportNames(Parts parts) {
        this.parts = parts;
    }

    /** The one that was asked for, else the volume's own name; empty when that will not do, and then it is the volume's id. */
    String choose(String name, @Nullable String wanted) {
        if (wanted != null) {
            requireFree("", Checks.exportName(wanted));
            return wanted;
        }
        return Checks.isExportName(name) && holder("", name).isEmpty() ? name : "";
    }

    private Optional<VolumeRecord> holder(String id, String name) {
        return parts.journal().volumes().values().stream()
                .filter(volume -> volume.getShared() && !volume.getId().equals(id))
                .filter(volume ->
                        volume.getExportName().equals(name) || volume.getId().equals(name))
                .findFirst();
    }

    void requireFree(String id, String name) {
        holder(id, name).ifPresent(volume -> {
            throw Refusal.of(Status.NAME_TAKEN, "the export name %s is taken by volume %s", name, volume.getId());
        });
    }
}
