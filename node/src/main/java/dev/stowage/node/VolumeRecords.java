package dev.stowage.node;

import dev.stowage.node.record.FilesystemRecord;
import dev.stowage.node.record.PublishRecord;
import dev.stowage.node.record.StageRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All that is on record about one volume; the publications by their target. */
record VolumeRecords(
        Optional<StageRecord> stage, Optional<FilesystemRecord> filesystem, Map<String, PublishRecord> publications) {

    static final VolumeRecords NONE = new VolumeRecords(Optional.empty(), Optional.empty(), Map.of());

    VolumeRecords {
        publications = Map.copyOf(publications);
    }

    static VolumeRecords orNone(@Nullable VolumeRecords records) {
        return records == null ? NONE : records;
    }

    VolumeRecords withStage(Optional<StageRecord> changed) {
        return new VolumeRecords(changed, filesystem, publications);
    }

    VolumeRecords withFilesystem(Optional<FilesystemRecord> changed) {
        return new VolumeRecords(stage, changed, publications);
    }

    VolumeRecords withPublication(PublishRecord added) {
        var changed = new HashMap<>(publications);
        changed.put(added.getTarget(), added);
        return new VolumeRecords(stage, filesystem, changed);
    }

    VolumeRecords withoutPublication(String target) {
        var changed = new HashMap<>(publications);
        changed.remove(target);
        return new VolumeRecords(stage, filesystem, changed);
    }
}
