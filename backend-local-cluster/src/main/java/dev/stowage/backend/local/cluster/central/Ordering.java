package dev.stowage.backend.local.cluster.central;

import dev.stowage.backend.local.cluster.order.Failures;
import dev.stowage.backend.local.cluster.order.ResourceNames;
import dev.stowage.core.error.StowageException;
import dev.stowage.kube.local.Order;
import dev.stowage.kube.local.Outcome;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How a thing is ordered from a node and how it is given up, whatever kind of thing it is.
 *
 * <p>Everything here may be interrupted at any point and begun again, here or by another controller: what there is to do next is read
 * off the order and its answer alone, and every change is refused by the API server if the order is not as it was when we looked.
 *
 * @param <W> the caller's wish
 * @param <V> what the caller gets
 */
abstract class Ordering<S extends Order, T extends Outcome, R extends CustomResource<S, T>, W, V> {

    private final Orders<S, T, R> orders;
    private final NodeWatch nodes;

    Ordering(Orders<S, T, R> orders, NodeWatch nodes) {
        this.orders = orders;
        this.nodes = nodes;
    }

    abstract ResourceNames.Candidates resourceNames(W wanted);

    /** The order for a wish. {@code refused} are nodes that had no room, with what they said. */
    abstract S order(W wanted, Map<String, StowageException> refused);

    /** Refuses a wish for which something else was ordered or made under the same name. */
    abstract void requireSame(R existing, W wanted);

    /** The same order once more. */
    abstract S again(S spec);

    abstract S deletion(S spec);

    abstract V view(R made);

    /** Whether another node could do it when one has no room. */
    abstract boolean movable(W wanted);

    V create(W wanted) {
        var refused = new LinkedHashMap<String, StowageException>();
        while (true) {
            var order = given(wanted, refused);
            var answer = order.flatMap(given -> answer(given, wanted, refused));
            if (answer.isPresent()) {
                return answer.get();
            }
        }
    }

    /** The order that there is for the wish, or a new one; empty when another controller came between. */
    private Optional<R> given(W wanted, Map<String, StowageException> refused) {
        var names = resourceNames(wanted);
        var existing = orders.named(names.present()).or(() -> orders.named(names.former()));
        if (existing.isPresent()) {
            return existing;
        }
        var spec = order(wanted, refused);
        nodes.requireAnswering(spec.name(), spec.node());
        return orders.created(names.present(), spec);
    }

    /** Leads an order to its answer; empty when the order was given up and a new one is to be given. */
    private Optional<V> answer(R order, W wanted, Map<String, StowageException> refused) {
        if (order.isMarkedForDeletion()) {
            orders.gone(order);
            return Optional.empty();
        }
        if (!Orders.mayHoldSomething(order)) {
            orders.forget(order);
            return Optional.empty();
        }
        boolean answered = order.getStatus().attempt() >= order.getSpec().attempt();
        if (order.getSpec().wantsDeletion() && !answered) {
            orders.deleted(order);
            return Optional.empty();
        }
        if (order.getStatus().made().isPresent()) {
            requireSame(order, wanted);
            return Optional.of(view(order));
        }
        return answered ? retried(order, wanted) : awaited(order, wanted, refused);
    }

    private Optional<V> awaited(R order, W wanted, Map<String, StowageException> refused) {
        requireSame(order, wanted);
        var answer = orders.answered(order);
        if (answer.getStatus().made().isPresent()) {
            return Optional.of(view(answer));
        }
        var failure = failure(answer);
        if (!Failures.leftNothing(failure)) {
            throw failure;
        }
        orders.forget(answer);
        if (failure instanceof StowageException.Exhausted && movable(wanted)) {
            refused.put(answer.getSpec().node(), failure);
            return Optional.empty();
        }
        throw failure;
    }

    /** The order failed before. What left nothing is forgotten; what may have left something is tried again where it is. */
    private Optional<V> retried(R order, W wanted) {
        if (Failures.leftNothing(failure(order))) {
            orders.forget(order);
            return Optional.empty();
        }
        if (!same(order, wanted)) {
            delete(order);
            return Optional.empty();
        }
        nodes.requireAnswering(orders.text(order), order.getSpec().node());
        orders.change(order, again(order.getSpec())).ifPresent(orders::seen);
        return Optional.empty();
    }

    private boolean same(R order, W wanted) {
        try {
            requireSame(order, wanted);
            return true;
        } catch (StowageException.AlreadyExists other) {
            return false;
        }
    }

    private StowageException failure(R order) {
        var error = order.getStatus().error();
        return error == null
                ? StowageException.internal(
                        "%s: node %s answered with neither a result nor an error",
                        orders.text(order), order.getSpec().node())
                : Failures.thrown(order.getSpec().node(), error);
    }

    /** Has the thing removed, and the order with it. */
    void delete(R order) {
        var current = Optional.of(order);
        while (current.isPresent()) {
            current = deleteStep(current.get());
        }
    }

    /** @return the order as it is now, when there is more to do */
    private Optional<R> deleteStep(R order) {
        if (!Orders.mayHoldSomething(order)) {
            orders.forget(order);
            return Optional.empty();
        }
        nodes.requireAnswering(orders.text(order), order.getSpec().node());
        if (order.isMarkedForDeletion()) {
            orders.gone(order);
            return Optional.empty();
        }
        if (order.getStatus().attempt() < order.getSpec().attempt()) {
            // Something else is under way; what is deleted is what comes of it.
            if (order.getSpec().wantsDeletion()) {
                orders.deleted(order);
                return Optional.empty();
            }
            orders.answered(order);
            return orders.live(order.getMetadata().getName());
        }
        var asked = orders.change(order, deletion(order.getSpec()));
        if (asked.isEmpty()) {
            return orders.live(order.getMetadata().getName());
        }
        orders.deleted(asked.get());
        return Optional.empty();
    }

    /** Has something done to what exists, and waits until it is done. */
    R done(R order, java.util.function.UnaryOperator<S> task) {
        var current = order;
        while (true) {
            nodes.requireAnswering(orders.text(current), current.getSpec().node());
            if (current.getStatus().attempt() < current.getSpec().attempt()) {
                current = orders.answered(current);
            }
            var asked = orders.change(current, task.apply(current.getSpec()));
            if (asked.isPresent()) {
                return orders.fulfilled(asked.get());
            }
            String name = current.getMetadata().getName();
            var text = orders.text(current);
            current = orders.live(name)
                    .filter(Orders::exists)
                    .orElseThrow(() -> StowageException.notFound("%s does not exist any more", text));
        }
    }
}
