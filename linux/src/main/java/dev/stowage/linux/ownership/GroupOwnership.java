package dev.stowage.linux.ownership;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.internal.DirectoryEntries;
import dev.stowage.linux.internal.Libc;
import dev.stowage.linux.internal.Statx;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * Gives everything below a directory to a group, so that its members can read and write it.
 *
 * <p>The root comes last: as long as it does not belong to the group, the work is not done, and a run that was interrupted starts
 * again. When it does, nothing is looked at: files made since then belong to the group by the set-group-id bit.
 */
public final class GroupOwnership {

    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final boolean ARM = System.getProperty("os.arch", "").equals("aarch64");
    private static final int DIRECTORY = ARM ? 0x4000 : 0x10000;
    private static final int NO_FOLLOW = ARM ? 0x8000 : 0x20000;
    private static final int KEEP_USER = -1;
    private static final int SET_GROUP_ID = 02000;
    private static final int GROUP_ALL = 070;
    private static final int GROUP_READ_WRITE = 060;
    private static final int GROUP_EXECUTE = 010;
    private static final int OWNER_EXECUTE = 0100;
    private static final int PERMISSIONS = 07777;

    private GroupOwnership() {}

    public static void apply(Path root, int gid) {
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = Libc.open(arena.allocateFrom(root.toString()), DIRECTORY | NO_FOLLOW | CLOSE_ON_EXEC, 0);
            if (descriptor < 0) {
                throw new SyscallException("open directory", root.toString(), -descriptor);
            }
            try {
                var status = Statx.of(descriptor, root.toString());
                if (status.group() == gid && (status.mode() & PERMISSIONS) == wanted(status)) {
                    return;
                }
                Effects.run("chown", root + " to group " + gid, () -> {
                    new Walk(gid, status, root.toString()).below(descriptor, arena);
                    change(descriptor, arena.allocateFrom("."), status, gid, root.toString());
                });
            } finally {
                Libc.close(descriptor);
            }
        }
    }

    private static int wanted(Statx status) {
        int mode = status.mode() & PERMISSIONS;
        if (status.directory()) {
            return mode | SET_GROUP_ID | GROUP_ALL;
        }
        return mode | GROUP_READ_WRITE | ((mode & OWNER_EXECUTE) != 0 ? GROUP_EXECUTE : 0);
    }

    private static void change(int directory, MemorySegment name, Statx status, int gid, String subject) {
        if (status.group() != gid) {
            check(
                    "change the group of",
                    subject,
                    Libc.fchownat(directory, name, KEEP_USER, gid, Libc.AT_SYMLINK_NOFOLLOW));
        }
        // A change of group takes the set-id bits away, so the mode comes second. A link has no mode of its own.
        if (!status.symbolicLink()) {
            int wanted = wanted(status);
            if ((status.mode() & PERMISSIONS) != wanted || (status.group() != gid && (wanted & 06000) != 0)) {
                check("change the mode of", subject, Libc.fchmodat(directory, name, wanted));
            }
        }
    }

    private static void check(String what, String subject, int outcome) {
        // Something that is removed while we walk needs no owner any more.
        if (outcome < 0 && outcome != -Errno.ENOENT.number()) {
            throw new SyscallException(what, subject, -outcome);
        }
    }

    private record Walk(int gid, Statx root, String subject) {

        void below(int directory, Arena arena) {
            int reading = Libc.openat(directory, arena.allocateFrom("."), DIRECTORY | CLOSE_ON_EXEC, 0);
            if (reading < 0) {
                throw new SyscallException("open directory", subject, -reading);
            }
            try (var entries = new DirectoryEntries(reading, subject);
                    Arena own = Arena.ofConfined()) {
                var buffer = Statx.buffer(own);
                while (entries.next()) {
                    entry(directory, entries.nativeName(), buffer, own);
                }
            } finally {
                Libc.close(reading);
            }
        }

        private void entry(int directory, MemorySegment name, MemorySegment buffer, Arena arena) {
            var status = Statx.at(directory, name, buffer, subject);
            if (status.directory()) {
                boolean elsewhere =
                        status.deviceMajor() != root.deviceMajor() || status.deviceMinor() != root.deviceMinor();
                if (elsewhere) {
                    return;
                }
                int child = Libc.openat(directory, name, DIRECTORY | NO_FOLLOW | CLOSE_ON_EXEC, 0);
                if (child == -Errno.ENOENT.number()) {
                    return;
                }
                if (child < 0) {
                    throw new SyscallException("open directory below", subject, -child);
                }
                try {
                    below(child, arena);
                } finally {
                    Libc.close(child);
                }
            }
            change(directory, name, status, gid, subject);
        }
    }
}
