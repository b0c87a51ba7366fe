package dev.stowage.core.health;

/** One thing that is wrong with the storage below the volumes, seen from one node. */
public record StorageIssue(Status status, String reason, String message) {

    public enum Status {
        DEGRADED,
        UNREACHABLE
    }
}
