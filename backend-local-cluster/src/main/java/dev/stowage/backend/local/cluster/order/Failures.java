package dev.stowage.backend.local.cluster.order;

import dev.stowage.core.error.StowageException;
import dev.stowage.kube.local.Failure;
import java.util.Objects;

/** A failure travels from the node to the controller's caller as what it is. */
public final class Failures {

    private static final int LONGEST_MESSAGE = 2000;

    private Failures() {}

    public static Failure of(StowageException failure) {
        String message = Objects.requireNonNullElse(failure.getMessage(), "");
        String bounded = message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE) + "…";
        return new Failure(failure.getClass().getSimpleName(), bounded);
    }

    public static StowageException thrown(String node, Failure failure) {
        String message = failure.message();
        return switch (failure.reason()) {
            case "InvalidRequest" -> StowageException.invalid("%s", message);
            case "NotFound" -> StowageException.notFound("%s", message);
            case "AlreadyExists" -> StowageException.alreadyExists("%s", message);
            case "Busy" -> StowageException.busy("node %s: %s", node, message);
            case "NotPossible" -> StowageException.notPossible("node %s: %s", node, message);
            case "Exhausted" -> StowageException.exhausted("node %s: %s", node, message);
            case "OutOfRange" -> StowageException.outOfRange("%s", message);
            case "Unavailable" -> StowageException.unavailable("node %s: %s", node, message);
            default -> StowageException.internal("node %s: %s", node, message);
        };
    }

    /** Whether nothing was made and nothing will be: the order can be forgotten. Otherwise the node may still hold a part of it. */
    public static boolean leftNothing(StowageException failure) {
        return switch (failure) {
            case StowageException.InvalidRequest ignored -> true;
            case StowageException.NotFound ignored -> true;
            case StowageException.AlreadyExists ignored -> true;
            case StowageException.NotPossible ignored -> true;
            case StowageException.Exhausted ignored -> true;
            case StowageException.OutOfRange ignored -> true;
            case StowageException.Busy ignored -> false;
            case StowageException.Unavailable ignored -> false;
            case StowageException.Internal ignored -> false;
        };
    }
}
