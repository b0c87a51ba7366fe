package dev.stowage.core.health;

/**
 * One thing that is wrong with a volume.
 *
 * @param reason one CamelCase word for machines
 * @param message for people: what is wrong and what to do
 */
public record HealthIssue(Status status, String reason, String message) {

    public enum Status {
        DEGRADED,
        INACCESSIBLE,
        DATA_LOSS
    }
}
