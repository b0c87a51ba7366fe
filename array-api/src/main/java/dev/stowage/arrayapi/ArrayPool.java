package dev.stowage.arrayapi;

import java.util.Locale;
import java.util.Optional;

/**
 * A pool of an array.
 *
 * @param mode {@code normal}, {@code alert}, {@code protected} or {@code emergency}
 * @param emergencyBytes with how much left it is in {@code emergency}, 0 for never; absent where the array does not tell
 */
public record ArrayPool(
        String id,
        long capacityBytes,
        long availableBytes,
        long provisionedBytes,
        String mode,
        Optional<Long> emergencyBytes) {

    static ArrayPool of(Answer answer) {
        return new ArrayPool(
                answer.text("name"),
                answer.bytesOfGibibytes("capacity"),
                answer.bytesOfGibibytes("available_capacity"),
                answer.bytesOfGibibytes("provisioned_capacity"),
                answer.some("mode").orElse("normal").toLowerCase(Locale.ROOT),
                answer.some("emergencymode").map(_ -> answer.bytesOfGibibytes("emergencymode")));
    }
}
