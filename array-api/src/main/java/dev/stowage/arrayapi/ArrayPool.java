package dev.stowage.arrayapi;

import java.util.Locale;

/**
 * A pool of an array.
 *
 * @param mode {@code normal}, {@code alert}, {@code protected} or {@code emergency}
 */
public record ArrayPool(String id, long capacityBytes, long availableBytes, long provisionedBytes, String mode) {

    static ArrayPool of(Answer answer) {
        return new ArrayPool(
                answer.text("name"),
                answer.bytesOfGibibytes("capacity"),
                answer.bytesOfGibibytes("available_capacity"),
                answer.bytesOfGibibytes("provisioned_capacity"),
                answer.some("mode").orElse("normal").toLowerCase(Locale.ROOT));
    }
}
