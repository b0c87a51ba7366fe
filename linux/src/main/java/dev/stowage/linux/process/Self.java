package dev.stowage.linux.process;

import dev.stowage.linux.internal.Libc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** This process. */
public final class Self {
    private static final int SIGKILL = 9;

    /** Lets its holder use what is reserved, and grow a mounted ext4 filesystem. */
    public static final int CAP_SYS_RESOURCE = 24;

    private Self() {}

    /** Whether this process has a capability now; root in a container need not have all. */
    public static boolean capable(int capability) {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("CapEff:"))
                    .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
                    .anyMatch(set -> (set >>> capability & 1) != 0);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read the capabilities of this process", failure);
        }
    }

    /** Ends this process as a crash would: no hook, no finally, no flush. */
    public static void kill9() {
        Libc.check(Libc.kill(ProcessHandle.current().pid(), SIGKILL), "kill", "this process");
    }

    /** The user that the kernel checks permissions against; 0 is root. */
    public static int geteuid() {
        return Libc.geteuid();
    }
}
