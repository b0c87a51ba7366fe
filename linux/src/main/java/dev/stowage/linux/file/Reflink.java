package dev.stowage.linux.file;

public final class Reflink {
    private Reflink() {}

    public static boolean supported(Directory directory) {
        throw new UnsupportedOperationException();
    }
}
