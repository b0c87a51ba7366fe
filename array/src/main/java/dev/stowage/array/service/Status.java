package dev.stowage.array.service;

/** The numbers by which a client tells outcomes apart. Those below 11000 are the original's, the others are ours. */
public enum Status {
    OK(0),
    BAD_CREDENTIALS(5),
    VOLUME_NOT_FOUND(10081),
    SERVER_NOT_FOUND(10086),
    INVALID(11001),
    NAME_TAKEN(11002),
    IN_USE(11003),
    NOT_POSSIBLE(11004),
    NO_ROOM(11005),
    BUSY(11006),
    POOL_NOT_FOUND(11007),
    GROUP_NOT_FOUND(11008),
    SNAPSHOT_NOT_FOUND(11009),
    NO_SUCH_CALL(11010),
    FAILED(11099);

    private final int number;

    Status(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }
}
