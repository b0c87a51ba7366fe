package dev.stowage.backend.local.cluster.central;

import dev.stowage.backend.local.cluster.order.Failures;
import dev.stowage.backend.local.cluster.order.Ownership;
import dev.stowage.core.call.Patience;
import dev.stowage.core.error.StowageException;
import dev.stowage.kube.Api;
import dev.stowage.kube.Cache;
import dev.stowage.kube.local.LocalResources;
import dev.stowage.kube.local.Order;
import dev.stowage.kube.local.Outcome;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** All orders of one kind, as the API server has them: found, given, changed, waited for, forgotten. */
final class Orders<S extends Order, T extends Outcome, R extends CustomResource<S, T>> implements AutoCloseable {

    private static final String BY_ID = "id";
    private static final Duration DEFAULT_PATIENCE = Duration.ofMinutes(2);
    private static final Duration LONGEST_NAP = Duration.ofSeconds(1);

    private final MixedOperation<R, KubernetesResourceList<R>, Resource<R>> resources;
    private final Ownership ownership;
    private final Supplier<R> blank;
    private final Kind kind;
    private final NodeWatch nodes;
    private final Notice notice;
    private final Cache<R> cache;

    /**
     * @param word what people call it
     * @param idField the field of the status that holds the id of what was made
     */
    record Kind(String word, String idField) {}

    Orders(
            Estate estate,
            Class<R> type,
            Supplier<R> blank,
            Kind kind,
            NodeWatch nodes,
            Notice notice,
            Map<String, Function<R, List<String>>> indexes) {
        this.resources = estate.client().resources(type);
        this.ownership = estate.ownership();
        this.blank = blank;
        this.kind = kind;
        this.nodes = nodes;
        this.notice = notice;
        var all = new java.util.HashMap<>(indexes);
        all.put(BY_ID, order -> order.getStatus().made().stream().toList());
        this.cache = estate.cache(type, all, new Noticed<>(notice));
    }

    boolean filled() {
        return cache.filled();
    }

    /** As it is told in messages. */
    String text(R order) {
        return kind.word() + " '" + order.getSpec().name() + "'";
    }

    /** Those whose thing exists. */
    Stream<R> made() {
        return cache.all().stream().filter(Orders::exists);
    }

    Stream<R> all() {
        return cache.all().stream();
    }

    List<R> by(String index, String value) {
        return cache.by(index, value);
    }

    /** Whether the node has what was ordered. */
    static boolean exists(CustomResource<? extends Order, ? extends Outcome> order) {
        return order.getStatus().made().isPresent() && mayHoldSomething(order) && !order.isMarkedForDeletion();
    }

    static boolean mayHoldSomething(CustomResource<? extends Order, ? extends Outcome> order) {
        return order.getMetadata().getFinalizers().contains(LocalResources.FINALIZER);
    }

    /** Whether a resource of that name is known; asks the API server how it is now. */
    Optional<R> named(String name) {
        return cache.find(name).isEmpty() ? Optional.empty() : live(name);
    }

    Optional<R> live(String name) {
        return anybodys(name).filter(ownership::isMine);
    }

    private Optional<R> anybodys(String name) {
        return Api.attempt(
                kind.word() + " " + name, () -> resources.withName(name).get());
    }

    /** What has this id. Another controller may have made it a moment ago, so that the API server has the last word. */
    Optional<R> withId(String id) {
        var known = cache.by(BY_ID, id).stream().filter(Orders::exists).findFirst();
        return known.isPresent()
                ? known
                : Api.call(
                        kind.word() + " " + id,
                        () ->
                                resources
                                        .withLabels(ownership.selector())
                                        .withField(kind.idField(), id)
                                        .list()
                                        .getItems()
                                        .stream()
                                        .findFirst());
    }

    /** The same as the API server has it now, for those who are about to change it: another controller may have changed it. */
    Optional<R> liveWithId(String id) {
        return withId(id)
                .flatMap(known -> live(known.getMetadata().getName()))
                .filter(now -> now.getStatus().made().filter(id::equals).isPresent());
    }

    /** Gives a new order, or finds the one that another controller gave; empty when that is gone again. */
    Optional<R> created(String name, S spec) {
        var order = blank.get();
        order.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .addToLabels(ownership.selector())
                .addToFinalizers(LocalResources.FINALIZER)
                .build());
        order.setSpec(spec);
        var created = Api.attempt(text(order), () -> resources.resource(order).create());
        return created.isPresent() ? created : anybodys(name).map(found -> ownership.requireMine(text(found), found));
    }

    /** Changes an order; empty when somebody else changed it meanwhile. */
    Optional<R> change(R order, S spec) {
        var changed = copy(order);
        changed.setSpec(spec);
        return Api.attempt(
                text(order),
                () -> resources.resource(changed).lockResourceVersion().update());
    }

    private R copy(R order) {
        var copy = blank.get();
        copy.setMetadata(new ObjectMetaBuilder(order.getMetadata()).build());
        copy.setSpec(order.getSpec());
        copy.setStatus(order.getStatus());
        return copy;
    }

    /** Forgets an order for which the node holds nothing. */
    void forget(R order) {
        var current = order;
        if (mayHoldSomething(current)) {
            var freed = copy(current);
            freed.getMetadata().getFinalizers().remove(LocalResources.FINALIZER);
            var released = Api.attempt(
                    text(order),
                    () -> resources.resource(freed).lockResourceVersion().update());
            if (released.isEmpty()) {
                return;
            }
            current = released.get();
        }
        var last = current;
        Api.attempt(
                text(order),
                () -> resources.resource(last).lockResourceVersion().delete());
        String uid = last.getMetadata().getUid();
        await(
                last,
                now -> now.filter(seen -> seen.getMetadata().getUid().equals(uid))
                                .isEmpty()
                        ? Optional.of(true)
                        : Optional.empty(),
                false);
    }

    /** Waits for the node's answer to the present wish. */
    R answered(R asked) {
        String uid = asked.getMetadata().getUid();
        return await(
                asked,
                now -> now.filter(seen -> seen.getMetadata().getUid().equals(uid)
                        && seen.getStatus().attempt() >= asked.getSpec().attempt()),
                true);
    }

    /** The node's answer to what was asked, or why it could not do it. */
    R fulfilled(R asked) {
        var answer = answered(asked);
        var error = answer.getStatus().error();
        if (error != null) {
            throw Failures.thrown(answer.getSpec().node(), error);
        }
        return answer;
    }

    /** Waits until the present wish that the thing be gone is fulfilled; throws the node's objection. */
    void deleted(R asked) {
        String uid = asked.getMetadata().getUid();
        var last = await(asked, now -> freedOrRefused(asked, uid, now), true);
        var error = last.getStatus().error();
        if (mayHoldSomething(last) && error != null) {
            throw Failures.thrown(last.getSpec().node(), error);
        }
        forget(last);
    }

    private Optional<R> freedOrRefused(R asked, String uid, Optional<R> now) {
        var same = now.filter(seen -> seen.getMetadata().getUid().equals(uid));
        if (same.isEmpty()) {
            // Not known any more, or not yet.
            return live(asked.getMetadata().getName())
                            .filter(seen -> seen.getMetadata().getUid().equals(uid))
                            .isPresent()
                    ? Optional.empty()
                    : Optional.of(freed(asked));
        }
        boolean refused = same.get().getStatus().attempt() >= asked.getSpec().attempt()
                && same.get().getStatus().error() != null;
        return refused || !mayHoldSomething(same.get()) ? same : Optional.empty();
    }

    private R freed(R order) {
        var freed = copy(order);
        freed.getMetadata().getFinalizers().clear();
        return freed;
    }

    /** Waits until a resource that somebody deleted by hand is gone; its node empties the pool first. */
    void gone(R order) {
        String uid = order.getMetadata().getUid();
        await(
                order,
                now -> now.filter(seen -> seen.getMetadata().getUid().equals(uid))
                                .isEmpty()
                        ? Optional.of(true)
                        : Optional.empty(),
                true);
    }

    /** Waits until this process sees its own change, so that what it tells next agrees with what it did. */
    void seen(R changed) {
        String uid = changed.getMetadata().getUid();
        await(
                changed,
                now -> now.isEmpty()
                                || !now.get().getMetadata().getUid().equals(uid)
                                || now.get().getMetadata().getGeneration()
                                        >= changed.getMetadata().getGeneration()
                        ? Optional.of(true)
                        : Optional.empty(),
                false);
    }

    private <X> X await(R asked, Function<Optional<R>, Optional<X>> look, boolean needsNode) {
        var patience = Patience.left(DEFAULT_PATIENCE);
        // The caller shall hear from us, not from its own clock.
        long end = System.nanoTime() + patience.minus(patience.dividedBy(10)).toNanos();
        String node = asked.getSpec().node();
        while (true) {
            long mark = notice.mark();
            var found = look.apply(cache.find(asked.getMetadata().getName()));
            if (found.isPresent()) {
                return found.get();
            }
            if (needsNode) {
                nodes.requireAnswering(text(asked), node);
            }
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw StowageException.busy(
                        "%s: node %s has not finished in time and goes on with it; repeat the call", text(asked), node);
            }
            notice.await(mark, Duration.ofNanos(Math.min(left, LONGEST_NAP.toNanos())));
        }
    }

    @Override
    public void close() {
        cache.close();
    }
}
