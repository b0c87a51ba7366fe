package dev.stowage.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All objects of one kind, kept up to date for as long as the API server answers, and again when it answers again. */
public final class Cache<T extends HasMetadata> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Cache.class);

    private final SharedIndexInformer<T> informer;
    private boolean closed;

    private Cache(SharedIndexInformer<T> informer) {
        this.informer = informer;
    }

    /** Is told what changes. It must return soon. */
    public interface Changes<T> {

        /** @param before what it was; null when it is new; the same object when it is only told again */
        void seen(@Nullable T before, T now);

        void gone(T last);
    }

    /**
     * Starts to fill a cache.
     *
     * @param indexes other ways to find objects than by name
     * @param again how often every object is told again although it has not changed
     * @param stopped is told when the cache is not kept up to date any more, which only {@link #close} should bring about
     */
    public static <T extends HasMetadata> Cache<T> start(
            Informable<T> objects,
            Map<String, Function<T, List<String>>> indexes,
            Duration again,
            Changes<T> changes,
            Consumer<String> stopped) {
        return startAfter(CompletableFuture.completedFuture(true), objects, indexes, again, changes, stopped);
    }

    /**
     * The same, as soon as something else is done.
     *
     * @param before what has to be done first, such as making objects fit for a selection; until then the cache is not filled
     * @param indexes other ways to find objects than by name
     * @param again how often every object is told again although it has not changed
     * @param stopped is told when the cache is not kept up to date any more, which only {@link #close} should bring about
     */
    public static <T extends HasMetadata> Cache<T> startAfter(
            CompletableFuture<?> before,
            Informable<T> objects,
            Map<String, Function<T, List<String>>> indexes,
            Duration again,
            Changes<T> changes,
            Consumer<String> stopped) {
        var informer = objects.runnableInformer(again.toMillis());
        String kind = informer.getApiTypeClass().getSimpleName();
        informer.addIndexers(indexes);
        informer.exceptionHandler((started, failure) -> {
            LOG.warn("cannot follow {} objects now, will try again: {}", kind, failure.getMessage());
            return true;
        });
        informer.addEventHandlerWithResyncPeriod(new Handler<>(changes), again.toMillis());
        var _ = informer.stopped()
                .whenComplete((nothing, failure) -> stopped.accept(
                        "the cache of " + kind + " objects has stopped" + (failure == null ? "" : ": " + failure)));
        var cache = new Cache<>(informer);
        var _ = before.thenRun(cache::begin);
        return cache;
    }

    private synchronized void begin() {
        if (!closed) {
            var _ = informer.start();
        }
    }

    private record Handler<T extends HasMetadata>(Changes<T> changes) implements ResourceEventHandler<T> {
        @Override
        public void onAdd(T object) {
            changes.seen(null, object);
        }

        @Override
        public void onUpdate(T before, T now) {
            changes.seen(before, now);
        }

        @Override
        public void onDelete(T last, boolean finalStateUnknown) {
            changes.gone(last);
        }
    }

    /**
     * Waits until everything that was there at the start is known.
     *
     * @param givenUp asks whether nobody waits any more
     * @return whether it is
     */
    public boolean awaitFilled(BooleanSupplier givenUp) throws InterruptedException {
        while (!informer.hasSynced() && !givenUp.getAsBoolean()) {
            Thread.sleep(10);
        }
        return informer.hasSynced();
    }

    /** Whether everything that was there at the start is known. */
    public boolean filled() {
        return informer.hasSynced();
    }

    /** Whether changes are being told now, so that what is not told has not happened. */
    public boolean watching() {
        return informer.isWatching();
    }

    /** An object without a namespace, by its name. */
    public Optional<T> find(String name) {
        return Optional.ofNullable(informer.getStore().getByKey(name));
    }

    public List<T> all() {
        return informer.getStore().list();
    }

    /** The objects that an index has under a value. */
    public List<T> by(String index, String value) {
        return informer.getIndexer().byIndex(index, value);
    }

    @Override
    public synchronized void close() {
        closed = true;
        informer.close();
    }
}
