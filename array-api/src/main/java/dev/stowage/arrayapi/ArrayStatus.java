package dev.stowage.arrayapi;

/** The numbers by which arrays say why not. */
public final class ArrayStatus {

    public static final int NO_SUCH_VOLUME = 10081;
    public static final int NO_SUCH_SERVER = 10086;
    public static final int NAME_TAKEN = 11002;
    public static final int IN_USE = 11003;
    public static final int NO_ROOM = 11005;
    public static final int BUSY = 11006;
    public static final int NO_SUCH_SNAPSHOT = 11009;
    public static final int NO_SUCH_GROUP = 11008;

    private ArrayStatus() {}
}
