package dev.stowage.arrayapi;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** A snapshot on an array. */
public record ArraySnapshot(
        String id,
        String displayName,
        String group,
        String pool,
        String volume,
        long sizeBytes,
        Optional<Instant> takenAt) {

    static ArraySnapshot of(Answer answer) {
        return new ArraySnapshot(
                answer.text("name"),
                answer.text("display_name"),
                answer.text("cg_name"),
                answer.text("pool_name"),
                answer.text("volume_ext_name"),
                answer.bytesOfMebibytes("volume_capacity_mb"),
                time(answer.text("created_at")));
    }

    private static Optional<Instant> time(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException unknownForm) {
            return Optional.empty();
        }
    }
}
