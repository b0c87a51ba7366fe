package dev.stowage.linux.file;

public final class ExtentDiff {
    private ExtentDiff() {}

    public static void allocated(FileHandle file, long from, RangeConsumer consumer) {
        throw new UnsupportedOperationException();
    }

    public static void changed(FileHandle base, FileHandle target, long from, RangeConsumer consumer) {
        throw new UnsupportedOperationException();
    }
}
