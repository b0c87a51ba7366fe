package dev.stowage.node;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.linux.filesystem.Signature;
import dev.stowage.node.record.FilesystemRecord;
import java.util.UUID;

/**
 * What to do with a device before its filesystem is mounted, decided from what is on record and what was read from the device.
 *
 * <p>A device is formatted only when no filesystem was ever recorded for the volume and its signature areas were read and are blank, or
 * when nothing but our own interrupted formatting can have written to it.
 */
sealed interface FormatDecision {

    /** Make a filesystem; nothing can be lost. */
    record Format() implements FormatDecision {}

    /** Make a filesystem if the device is blank from end to end: it was given out raw, and data may lie where no signature is. */
    record FormatIfAllBlank() implements FormatDecision {}

    /** The filesystem is the one on record. */
    record Use() implements FormatDecision {}

    /** A filesystem that came with the volume, such as a clone's, goes on record as it is. */
    record Adopt(UUID uuid) implements FormatDecision {}

    /** A filesystem that came with the volume first gets an identity of its own: its source may be mounted here as well. */
    record AdoptWithNewUuid() implements FormatDecision {}

    /**
     * What is known before deciding.
     *
     * @param oursAlone a recorded formatting was begun such that nobody else can have written to the device since
     * @param mayWrite the volume is wanted for writing, so that something may be put on it
     */
    record Situation(
            VolumeId volume,
            FilesystemRecord record,
            Signature found,
            FilesystemType wanted,
            boolean oursAlone,
            boolean mayWrite) {}

    static FormatDecision of(Situation s) {
        return switch (s.record().getState()) {
            case NONE -> neverRecorded(s);
            case FORMATTING -> interruptedFormat(s);
            case PRESENT -> recorded(s);
            case CHANGING_UUID -> interruptedNewUuid(s);
            case UNRECOGNIZED ->
                throw StowageException.internal(
                        "volume %s: its filesystem record was written by a newer version of this driver", s.volume());
        };
    }

    private static FormatDecision neverRecorded(Situation s) {
        return switch (s.found()) {
            case Signature.Blank() -> {
                requireWritable(s);
                yield s.record().getUsedAsBlock() ? new FormatIfAllBlank() : new Format();
            }
            case Signature.Known known -> adopt(s, known);
            case Signature.Foreign(String what) -> throw holdsSomethingElse(s, what);
        };
    }

    private static FormatDecision interruptedFormat(Situation s) {
        if (s.oursAlone() || s.found() instanceof Signature.Blank) {
            requireWritable(s);
            return new Format();
        }
        if (s.found() instanceof Signature.Known known
                && known.type() == s.wanted()
                && known.uuid().toString().equals(s.record().getUuid())) {
            return new Adopt(known.uuid());
        }
        throw StowageException.notPossible(
                "volume %s: formatting it was interrupted, and it may have been used elsewhere since; it now holds %s. It is not "
                        + "formatted again. If it holds nothing of value, delete it and create a new one",
                s.volume(), text(s.found()));
    }

    private static FormatDecision recorded(Situation s) {
        if (s.found() instanceof Signature.Known known) {
            boolean same = known.type().mountName().equals(s.record().getType())
                    && known.uuid().toString().equals(s.record().getUuid());
            if (same && known.type() == s.wanted()) {
                return new Use();
            }
            if (same || s.record().getUsedAsBlock()) {
                return adopt(s, known);
            }
        }
        throw StowageException.notPossible(
                "volume %s: data loss suspected: it had a filesystem %s with UUID %s, now its device holds %s. Nothing was changed; "
                        + "check the storage, or restore the volume from a snapshot",
                s.volume(), s.record().getType(), s.record().getUuid(), text(s.found()));
    }

    private static FormatDecision interruptedNewUuid(Situation s) {
        if (s.found() instanceof Signature.Known known
                && known.type().mountName().equals(s.record().getType())) {
            if (known.type() != s.wanted()) {
                throw otherType(s, known);
            }
            // Whether it has the old one or the new one, another new one does no harm.
            return new AdoptWithNewUuid();
        }
        throw StowageException.notPossible(
                "volume %s: data loss suspected: its filesystem %s was being given a new UUID, now its device holds %s. Nothing more "
                        + "was changed; restore the volume from its source",
                s.volume(), s.record().getType(), text(s.found()));
    }

    private static FormatDecision adopt(Situation s, Signature.Known known) {
        if (known.type() != s.wanted()) {
            throw otherType(s, known);
        }
        return switch (known.type()) {
            // The kernel tells btrfs filesystems apart by their UUID alone and could take the source's device for this
            // one.
            case BTRFS -> new AdoptWithNewUuid();
            case EXT4, XFS -> new Adopt(known.uuid());
        };
    }

    private static void requireWritable(Situation s) {
        if (!s.mayWrite()) {
            throw StowageException.notPossible(
                    "volume %s is blank and wanted read-only, so that no filesystem can be made on it; use it once for writing",
                    s.volume());
        }
    }

    private static StowageException otherType(Situation s, Signature.Known known) {
        return StowageException.notPossible(
                "volume %s holds a filesystem %s, but %s is wanted; ask for %s, or use another volume",
                s.volume(),
                known.type().mountName(),
                s.wanted().mountName(),
                known.type().mountName());
    }

    private static StowageException holdsSomethingElse(Situation s, String what) {
        return StowageException.notPossible(
                "volume %s is not blank: its device holds %s. It is not formatted; if the content is of no value, wipe it or use "
                        + "another volume",
                s.volume(), what);
    }

    private static String text(Signature found) {
        return switch (found) {
            case Signature.Blank() -> "nothing";
            case Signature.Known known -> known.type().mountName() + " with UUID " + known.uuid();
            case Signature.Foreign(String what) -> what;
        };
    }
}
