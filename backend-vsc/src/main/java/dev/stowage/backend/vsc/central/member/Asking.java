package dev.stowage.backend.vsc.central.member;

import dev.stowage.arrayapi.ArrayException;
import dev.stowage.arrayapi.ArrayException.Refused;
import dev.stowage.arrayapi.ArrayException.Unreachable;
import dev.stowage.arrayapi.ArrayStatus;
import dev.stowage.core.error.StowageException;
import java.util.function.Supplier;

/** Calls to arrays on somebody's behalf, with failures that the caller can act on. */
public final class Asking {

    private Asking() {}

    /** @param what is being done, to which object */
    public static <T> T about(String what, Supplier<T> call) {
        try {
            return call.get();
        } catch (ArrayException failed) {
            throw explained(what, failed);
        }
    }

    public static void doing(String what, Runnable call) {
        var _ = about(what, () -> {
            call.run();
            return what;
        });
    }

    public static StowageException explained(String what, ArrayException failed) {
        return switch (failed) {
            case Unreachable unreachable ->
                StowageException.unavailable(unreachable, "%s: %s; it is tried again", what, unreachable.getMessage());
            case Refused refused ->
                switch (refused.status()) {
                    case ArrayStatus.NO_ROOM -> StowageException.exhausted("%s: %s", what, refused.getMessage());
                    case ArrayStatus.BUSY -> StowageException.unavailable("%s: %s", what, refused.getMessage());
                    case ArrayStatus.IN_USE, ArrayStatus.NAME_TAKEN ->
                        StowageException.notPossible("%s: %s", what, refused.getMessage());
                    default -> StowageException.internal("%s: %s", what, refused.getMessage());
                };
        };
    }
}
