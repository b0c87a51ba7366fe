package dev.stowage.workbench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A process, told from any other that may get its number later by when it was started.
 *
 * @param started in the kernel's ticks since boot, as field 22 of /proc/PID/stat has it
 */
public record ProcessIdentity(long pid, long started) {

    /** The process that has this number now, if there is one that has not ended. */
    public static Optional<ProcessIdentity> of(long pid) {
        try {
            var line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            // The name is in parentheses and may contain anything, so fields are counted from behind it.
            var fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
            boolean ended = "Z".equals(fields[0]) || "X".equals(fields[0]);
            return ended ? Optional.empty() : Optional.of(new ProcessIdentity(pid, Long.parseLong(fields[19])));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    static Optional<ProcessIdentity> parse(String text) {
        var parts = text.strip().split(" ");
        return parts.length == 2
                ? Optional.of(new ProcessIdentity(Long.parseLong(parts[0]), Long.parseLong(parts[1])))
                : Optional.empty();
    }

    public boolean alive() {
        return of(pid).filter(this::equals).isPresent();
    }

    public void terminate() {
        handle().ifPresent(ProcessHandle::destroy);
    }

    public void kill() {
        handle().ifPresent(ProcessHandle::destroyForcibly);
    }

    /** The only child of a process that exists to start one, such as nsenter. */
    public Optional<ProcessIdentity> child() {
        return handle().flatMap(handle -> handle.children().findFirst()).flatMap(child -> of(child.pid()));
    }

    private Optional<ProcessHandle> handle() {
        return alive() ? ProcessHandle.of(pid) : Optional.empty();
    }

    @Override
    public String toString() {
        return pid + " " + started;
    }
}
