package dev.stowage.linux.file;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.internal.Descriptor;
import dev.stowage.linux.internal.Libc;
import dev.stowage.linux.internal.Stat;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An open directory. Every name given to it is one path component, looked up in this directory and nowhere else: never through
 * a symbolic link, whatever someone puts in the way between two calls.
 */
public final class Directory implements AutoCloseable {
    private static final long BENEATH = Libc.RESOLVE_BENEATH | Libc.RESOLVE_NO_SYMLINKS | Libc.RESOLVE_NO_MAGICLINKS;
    private static final int LISTING_BYTES = 32 * 1024;
    private static final int NAME_IN_ENTRY = 19;

    private final Descriptor descriptor;
    private final SharedSync syncs = new SharedSync(this::syncOnce);

    private Directory(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    /** Opens a directory by its path. The path itself is trusted; symbolic links in it are followed. */
    public static Directory open(Path path) {
        return new Directory(Descriptor.open(path, Libc.O_RDONLY | Libc.O_DIRECTORY));
    }

    /** Opens a directory in this one. */
    public Directory child(String name) {
        return new Directory(new Descriptor(lookUp(name, Libc.O_RDONLY | Libc.O_DIRECTORY, 0, "open"), path(name)));
    }

    /** Opens a directory in this one, making it when it is not there. */
    public Directory createChild(String name, int mode) {
        var present = Stat.unfilled().read(descriptor.number(), component(name));
        if (present == -Errno.ENOENT.number()) {
            Effects.run("mkdir", path(name).toString(), () -> {
                var result = Libc.mkdirat(descriptor.number(), name, mode);
                if (result != -Errno.EEXIST.number()) {
                    Libc.check(result, "mkdir", path(name));
                }
            });
        }
        return child(name);
    }

    /** Makes a new file, readable and writable by its owner alone; a name that is taken is an error. */
    public FileHandle create(String name) {
        return Effects.perform(
                "create-file",
                path(name).toString(),
                () -> handle(name, Libc.O_RDWR | Libc.O_CREAT | Libc.O_EXCL | Libc.O_NOFOLLOW, 0600, "create"));
    }

    /** Opens a regular file that is there. */
    public FileHandle open(String name, boolean write) {
        // Not blocking: a FIFO put in the way must not hang the opener.
        var flags = (write ? Libc.O_RDWR : Libc.O_RDONLY) | Libc.O_NOFOLLOW | Libc.O_NONBLOCK;
        var handle = handle(name, flags, 0, "open");
        if (!Stat.of(handle.descriptor(), handle.path()).regular()) {
            handle.close();
            throw new SyscallException("open", path(name) + " (not a regular file)", Errno.EINVAL.number());
        }
        return handle;
    }

    /** Whether the name is taken, by anything, also by a symbolic link that leads nowhere. */
    public boolean exists(String name) {
        var result = Stat.unfilled().read(descriptor.number(), component(name));
        if (result == -Errno.ENOENT.number()) {
            return false;
        }
        Libc.check(result, "stat", path(name));
        return true;
    }

    /** Removes a file; false when there was none. */
    public boolean unlink(String name) {
        return remove(name, "unlink", 0);
    }

    /** Removes an empty directory; false when there was none. */
    public boolean removeChild(String name) {
        return remove(name, "rmdir", Libc.AT_REMOVEDIR);
    }

    /** Renames within this directory, replacing what had the new name, at one instant. */
    public void rename(String from, String to) {
        component(from);
        component(to);
        Effects.run("rename", path(from) + " to " + to, () -> {
            var result = Libc.renameat(descriptor.number(), from, descriptor.number(), to);
            Libc.check(result, "rename", path(from) + " to " + to);
        });
    }

    /** The names in this directory, in no particular order. */
    public List<String> names() {
        // A descriptor of its own: the position of a listing belongs to the open file, and two threads may list at
        // once.
        var listing =
                Libc.check(Libc.openat(descriptor.number(), ".", Libc.O_RDONLY | Libc.O_DIRECTORY, 0), "open", path());
        try (var own = new Descriptor(listing, path());
                var arena = Arena.ofConfined()) {
            var names = new ArrayList<String>();
            var state = Libc.state(arena);
            var buffer = arena.allocate(LISTING_BYTES, 8);
            long count;
            while ((count = Libc.check(Libc.getdents(state, own.number(), buffer), "list", path())) > 0) {
                for (long entry = 0; entry < count; ) {
                    var name = buffer.getString(entry + NAME_IN_ENTRY, StandardCharsets.UTF_8);
                    if (!name.equals(".") && !name.equals("..")) {
                        names.add(name);
                    }
                    entry += Short.toUnsignedInt(buffer.get(ValueLayout.JAVA_SHORT, entry + 16));
                }
            }
            return names;
        }
    }

    /** Returns when the names made and removed here are on stable storage. */
    public void sync() {
        syncs.run();
    }

    private void syncOnce() {
        Effects.run("sync", path().toString(), () -> Libc.check(Libc.fsync(descriptor.number()), "sync", path()));
    }

    public Path path() {
        return descriptor.path();
    }

    /** The path of a name in this directory, to be handed to commands. */
    public Path path(String name) {
        return path().resolve(component(name));
    }

    @Override
    public void close() {
        descriptor.close();
    }

    private boolean remove(String name, String kind, int flags) {
        if (!exists(name)) {
            return false;
        }
        return Effects.perform(kind, path(name).toString(), () -> {
            var result = Libc.unlinkat(descriptor.number(), name, flags);
            if (result == -Errno.ENOENT.number()) {
                return false;
            }
            Libc.check(result, kind, path(name));
            return true;
        });
    }

    private FileHandle handle(String name, int flags, int mode, String call) {
        return new FileHandle(new Descriptor(lookUp(name, flags, mode, call), path(name)));
    }

    private int lookUp(String name, int flags, int mode, String call) {
        int result;
        do {
            // EAGAIN: a rename elsewhere raced with the check that the name stays beneath this directory.
            result = Libc.openat2(descriptor.number(), component(name), flags, mode, BENEATH);
        } while (result == -Errno.EAGAIN.number() || result == -Errno.EINTR.number());
        return Libc.check(result, call, path(name));
    }

    private static String component(String name) {
        if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf('/') >= 0 || name.indexOf(0) >= 0) {
            throw new IllegalArgumentException("not the name of a file in a directory: \"" + name + "\"");
        }
        return name;
    }
}
