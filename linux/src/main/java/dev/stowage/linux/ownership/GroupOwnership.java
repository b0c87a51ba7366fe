package dev.stowage.linux.ownership;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.UnsafePathException;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.internal.Descriptor;
import dev.stowage.linux.internal.Libc;
import dev.stowage.linux.internal.Stat;
import java.nio.file.Path;

/** Gives a tree to a group, as a pod's fsGroup asks. */
public final class GroupOwnership {
    private GroupOwnership() {}

    /**
     * Gives everything below a directory to a group that can then read and write it, and makes new files inherit the group.
     * Only what differs is changed. The directory itself comes last: if it is right, all below was, and nothing is looked at
     * again; if this is interrupted, it is still wrong and a repeat finishes the work. Symbolic links are changed, never
     * followed; other filesystems mounted inside are left alone.
     */
    public static void apply(Path root, int gid) {
        var flags = Libc.O_RDONLY | Libc.O_DIRECTORY | Libc.O_NOFOLLOW;
        var opened = Libc.openat(Libc.AT_FDCWD, root.toString(), flags, 0);
        if (opened == -Errno.ELOOP.number() || opened == -Errno.ENOTDIR.number()) {
            throw new UnsafePathException(root + " is not a directory; its ownership is not changed");
        }
        try (var directory = new Descriptor(Libc.check(opened, "open", root), root)) {
            var stat = Stat.of(directory.number(), root);
            if (Rights.satisfied(stat, gid)) {
                return;
            }
            new TreeWalk(directory.path(), stat.mountId(), gid).run(directory.number());
            Effects.run("chown", root.toString(), () -> {
                try (var worker = new Rights(gid)) {
                    var result = worker.applyToOpened(directory.number());
                    if (result < 0) {
                        throw new SyscallException("give to group " + gid, root.toString(), -result);
                    }
                }
            });
        }
    }
}
