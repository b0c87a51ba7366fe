package dev.stowage.linux.ownership;

import dev.stowage.linux.Errno;
import dev.stowage.linux.internal.Libc;
import dev.stowage.linux.internal.Stat;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Sets group and permissions of single files. Has native memory of its own, so that nothing is allocated per file. */
final class Rights implements AutoCloseable {
    private static final int MOST_SWAPS = 100;
    private static final int SET_UID = 04000;
    private static final int SET_GID = 02000;
    private static final int OWNER_EXECUTE = 0100;
    private static final int GROUP_READ_WRITE = 060;
    private static final int GROUP_EXECUTE = 010;
    private static final int PERMISSIONS = 07777;
    private static final int KEEP = -1;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment state = Libc.state(arena);
    private final MemorySegment empty = arena.allocate(1);
    private final Stat stat = new Stat(arena);
    private final int gid;

    Rights(int gid) {
        this.gid = gid;
    }

    /** Whether a directory needs no change. */
    static boolean satisfied(Stat directory, int gid) {
        return directory.gid() == gid && wanted(directory, gid) == (directory.mode() & PERMISSIONS);
    }

    Arena arena() {
        return arena;
    }

    MemorySegment state() {
        return state;
    }

    /** What the last file was found to be. */
    Stat stat() {
        return stat;
    }

    /** Applies to a name in an open directory that {@link #stat()} was just filled from; zero or a negated error number. */
    int applyFound(int directory, long name) {
        var result = change(directory, name, Libc.AT_SYMLINK_NOFOLLOW);
        // A link has no permissions. Somebody put one in the place of what was looked at, so it is looked at again.
        for (int again = 0; result == -Errno.EOPNOTSUPP.number() && again < MOST_SWAPS; again++) {
            var found = stat.read(state, directory, name);
            result = found < 0 ? found : change(directory, name, Libc.AT_SYMLINK_NOFOLLOW);
        }
        return result;
    }

    /** Applies to an open directory itself. */
    int applyToOpened(int directory) {
        var result = stat.read(state, directory, empty.address());
        return result < 0 ? result : change(directory, empty.address(), Libc.AT_EMPTY_PATH);
    }

    @Override
    public void close() {
        arena.close();
    }

    private int change(int directory, long name, int flags) {
        var mode = stat.mode() & PERMISSIONS;
        var wanted = wanted(stat, gid);
        var regroup = stat.gid() != gid;
        if (regroup) {
            var result = Libc.fchownat(state, directory, name, KEEP, gid, flags);
            if (result < 0) {
                return result;
            }
        }
        // The kernel takes set-user-id away from a file whose group changes; its owner is the same, so it is given
        // back.
        var lost = regroup && (mode & SET_UID) != 0 && !stat.directory();
        if (stat.symbolicLink() || (mode == wanted && !lost)) {
            return 0;
        }
        return flags == Libc.AT_EMPTY_PATH
                ? Libc.fchmod(directory, wanted)
                : Libc.fchmodat(state, directory, name, wanted, flags);
    }

    private static int wanted(Stat stat, int gid) {
        var mode = stat.mode() & PERMISSIONS;
        if (stat.directory()) {
            return mode | SET_GID | GROUP_READ_WRITE | GROUP_EXECUTE;
        }
        // A program that ran with the rights of its old group must not come to run with those of the new one.
        var kept = stat.gid() == gid ? mode : mode & ~SET_GID;
        return kept | GROUP_READ_WRITE | ((mode & OWNER_EXECUTE) != 0 ? GROUP_EXECUTE : 0);
    }
}
