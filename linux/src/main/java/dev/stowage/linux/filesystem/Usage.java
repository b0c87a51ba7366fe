package dev.stowage.linux.filesystem;

/** How full a filesystem is. Available is what an ordinary user may still write, so used + available can be less than total. */
public record Usage(
        long totalBytes, long availableBytes, long usedBytes, long totalInodes, long freeInodes, long usedInodes) {}
