package dev.stowage.linux.record;

/** One change to a {@link RecordLog}. */
public sealed interface Change {
    String key();

    /** Sets the value of a key. The array belongs to the log from then on. */
    @SuppressWarnings("ArrayRecordComponent") // an opaque payload, never compared
    record Put(String key, byte[] value) implements Change {}

    /** Forgets a key; forgetting an absent one is fine. */
    record Remove(String key) implements Change {}
}
