package dev.stowage.linux.filesystem;

import java.util.UUID;

/** What the signature areas of a device hold. */
public sealed interface Signature {
    /** Every signature area was read, and every byte of them is zero. */
    record Blank() implements Signature {}

    /** A filesystem of a type that we make. */
    record Known(FilesystemType type, UUID uuid, String label) implements Signature {}

    /** Something else that must not be overwritten; {@code what} names it where it is recognised. */
    record Foreign(String what) implements Signature {}
}
