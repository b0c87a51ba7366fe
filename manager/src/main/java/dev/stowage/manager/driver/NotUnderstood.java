package dev.stowage.manager.driver;

import java.util.function.Supplier;

/**
 * What a user wrote is such as nobody has thought of here. He is told: it would fail in the same way however often it is tried.
 */
public final class NotUnderstood extends RuntimeException {

    private static final long serialVersionUID = 1;

    private NotUnderstood(RuntimeException why) {
        super("spec: the manager cannot make sense of it (%s); its log has the details".formatted(why), why);
    }

    /** @param reading which depends on nothing but what the user wrote */
    public static <T> T unless(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (NotUnderstood before) {
            throw before;
        } catch (RuntimeException unexpected) {
            throw new NotUnderstood(unexpected);
        }
    }
}
