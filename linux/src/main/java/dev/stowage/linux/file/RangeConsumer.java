package dev.stowage.linux.file;

/** Takes byte ranges one after another; may throw to stop the stream. */
@FunctionalInterface
public interface RangeConsumer {
    void range(long offset, long length);
}
