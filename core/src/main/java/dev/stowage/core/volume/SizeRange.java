package dev.stowage.core.volume;

import dev.stowage.core.error.StowageException;

/** The size that is asked for: at least {@code required}, at most {@code limit}; zero leaves that side open. */
public record SizeRange(long required, long limit) {

    public static final SizeRange ANY = new SizeRange(0, 0);

    public SizeRange {
        if (required < 0 || limit < 0) {
            throw StowageException.invalid("capacity range %d..%d: sizes must not be negative", required, limit);
        }
        if (limit != 0 && required > limit) {
            throw StowageException.invalid(
                    "capacity range: the required %s is more than the limit %s",
                    Sizes.text(required), Sizes.text(limit));
        }
    }

    public static SizeRange atLeast(long bytes) {
        return new SizeRange(bytes, 0);
    }

    public boolean contains(long bytes) {
        return bytes >= required && (limit == 0 || bytes <= limit);
    }

    /** The smallest multiple of {@code unit} in this range that is at least {@code minimum}; {@code fallback} when nothing is asked. */
    public long choose(long fallback, long minimum, long maximum, long unit) {
        long wanted = Math.max(required == 0 ? (limit == 0 ? fallback : Math.min(fallback, limit)) : required, minimum);
        if (wanted > maximum) {
            throw StowageException.outOfRange(
                    "a volume of %s is larger than the largest possible, %s", Sizes.text(wanted), Sizes.text(maximum));
        }
        long chosen = Math.ceilDiv(wanted, unit) * unit;
        if (limit != 0 && chosen > limit) {
            throw StowageException.outOfRange(
                    "the smallest possible size is %s, which is over the limit of %s",
                    Sizes.text(chosen), Sizes.text(limit));
        }
        return chosen;
    }
}
