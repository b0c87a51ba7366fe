package dev.stowage.node;

import dev.stowage.core.error.StowageException;
import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.UnsafePathException;
import dev.stowage.linux.command.CommandFailedException;
import dev.stowage.linux.record.RecordLogException;
import java.io.UncheckedIOException;
import java.util.function.Supplier;

/** Turns the failures of the machine into those that a caller can act on. */
final class Failures {

    private Failures() {}

    /** Does something; {@code what} says in a message what it was. */
    static <T> T translated(String what, Supplier<T> work) {
        try {
            return work.get();
        } catch (UnsafePathException unsafe) {
            throw StowageException.invalid("%s: %s", what, Text.reason(unsafe));
        } catch (SyscallException refused) {
            throw translated(what, refused);
        } catch (CommandFailedException | RecordLogException | UncheckedIOException failed) {
            throw StowageException.internal(failed, "%s: %s", what, Text.reason(failed));
        }
    }

    static void translated(String what, Runnable work) {
        Failures.<Void>translated(what, () -> {
            work.run();
            return null;
        });
    }

    private static StowageException translated(String what, SyscallException refused) {
        if (refused.is(Errno.ENOSPC) || refused.is(Errno.EDQUOT)) {
            return StowageException.exhausted("%s: %s; make room and try again", what, Text.reason(refused));
        }
        if (refused.is(Errno.ELOOP) || refused.is(Errno.ENAMETOOLONG)) {
            return StowageException.invalid("%s: %s", what, Text.reason(refused));
        }
        if (refused.is(Errno.EBUSY) || refused.is(Errno.ENOTEMPTY)) {
            return StowageException.notPossible(
                    "%s: %s; end what uses it, or move away what is there", what, Text.reason(refused));
        }
        return StowageException.internal(refused, "%s: %s", what, Text.reason(refused));
    }
}
