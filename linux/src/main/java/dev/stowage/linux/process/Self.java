package dev.stowage.linux.process;

public final class Self {
    private Self() {}

    public static void kill9() {
        throw new UnsupportedOperationException();
    }

    public static int geteuid() {
        throw new UnsupportedOperationException();
    }
}
