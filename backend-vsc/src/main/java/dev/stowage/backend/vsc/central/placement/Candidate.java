package dev.stowage.backend.vsc.central.placement;

/**
 * An array that could take a volume.
 *
 * @param availableBytes what is left, without what has been promised since the array was last asked
 * @param addedAt when it became a member, as text that sorts by time
 */
public record Candidate(
        String array, long totalBytes, long availableBytes, long provisionedBytes, int volumes, String addedAt) {}
