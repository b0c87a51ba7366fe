package dev.stowage.conformance.manager;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** What takes long to start: made before the first test that needs it, closed after the last of the class or of the whole run. */
public final class Lasting<T extends AutoCloseable> implements BeforeAllCallback {

    private static final Namespace NAMESPACE = Namespace.create(Lasting.class);

    private final Class<T> type;
    private final boolean shared;
    private final Supplier<T> start;
    private @Nullable T started;

    private Lasting(Class<T> type, boolean shared, Supplier<T> start) {
        this.type = type;
        this.shared = shared;
        this.start = start;
    }

    /** For one class, which may change and stop it as it likes. */
    public static <T extends AutoCloseable> Lasting<T> forTheClass(Class<T> type, Supplier<T> start) {
        return new Lasting<>(type, false, start);
    }

    /** For all classes that ask for this type, one after the other. */
    public static <T extends AutoCloseable> Lasting<T> forTheRun(Class<T> type, Supplier<T> start) {
        return new Lasting<>(type, true, start);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // What is in a store is closed with it.
        var store = (shared ? context.getRoot() : context).getStore(NAMESPACE);
        // A class's store knows what is in the run's as well: by a key of its own it gets one of its own.
        started = store.computeIfAbsent(shared ? type : this, _ -> start.get(), type);
    }

    public T get() {
        return Objects.requireNonNull(started, "the tests have not begun yet");
    }
}
