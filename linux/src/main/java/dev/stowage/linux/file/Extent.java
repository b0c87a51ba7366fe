package dev.stowage.linux.file;

public record Extent(long logical, long physical, long length, int flags) {
    public boolean unwritten() {
        throw new UnsupportedOperationException();
    }

    public boolean encodedOrUnknown() {
        throw new UnsupportedOperationException();
    }
}
