package dev.stowage.linux.file;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.UnsafePathException;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.internal.DirectoryEntries;
import dev.stowage.linux.internal.Libc;
import dev.stowage.linux.internal.Statx;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * An opened directory.
 *
 * <p>Names are single components, resolved by the kernel below this very directory and never through a link. What the path led to
 * when it was opened is what is worked in, whatever happens to the path later.
 */
public final class Directory implements AutoCloseable {

    private static final int READ_WRITE = 2;
    private static final int CREATE = 0x40;
    private static final int EXCLUSIVE = 0x80;
    private static final int CLOSE_ON_EXEC = 0x80000;
    // These two differ between x86 and ARM.
    private static final boolean ARM = System.getProperty("os.arch", "").equals("aarch64");
    private static final int DIRECTORY = ARM ? 0x4000 : 0x10000;
    private static final int NO_FOLLOW = ARM ? 0x8000 : 0x20000;
    private static final long RESOLVE_STRICTLY = 0x02 | 0x04 | 0x08; // no magic links, no links, beneath
    private static final int OPEN_HOW = 24;

    private final Path path;
    private final int descriptor;
    private boolean closed;

    private Directory(Path path, int descriptor) {
        this.path = path;
        this.descriptor = descriptor;
    }

    public static Directory open(Path path) {
        try (Arena arena = Arena.ofConfined()) {
            int opened = Libc.open(arena.allocateFrom(path.toString()), DIRECTORY | CLOSE_ON_EXEC, 0);
            if (opened < 0) {
                throw new SyscallException("open directory", path.toString(), -opened);
            }
            return new Directory(path, opened);
        }
    }

    public Directory child(String name) {
        return new Directory(path.resolve(name), openStrictly(name, DIRECTORY, 0));
    }

    /** Opens a directory below this one, making it if it is not there. */
    public Directory createChild(String name, int mode) {
        requireComponent(name);
        if (!exists(name)) {
            try (Arena arena = Arena.ofConfined()) {
                Effects.run("mkdir", path(name).toString(), () -> {
                    int made = Libc.mkdirat(descriptor, arena.allocateFrom(name), mode);
                    if (made < 0 && made != -Errno.EEXIST.number()) {
                        throw new SyscallException("mkdir", path(name).toString(), -made);
                    }
                });
            }
        }
        return child(name);
    }

    /** Makes a file that must not exist yet. */
    public FileHandle create(String name) {
        return Effects.perform(
                "create-file",
                path(name).toString(),
                () -> new FileHandle(path(name), openStrictly(name, READ_WRITE | CREATE | EXCLUSIVE, 0600)));
    }

    public FileHandle open(String name, boolean write) {
        var file = new FileHandle(path(name), openStrictly(name, write ? READ_WRITE : 0, 0));
        if (!Statx.of(file.descriptor(), path(name).toString()).regularFile()) {
            file.close();
            throw new UnsafePathException(path(name) + " is not a regular file");
        }
        return file;
    }

    private int openStrictly(String name, int flags, int mode) {
        requireComponent(name);
        try (Arena arena = Arena.ofConfined()) {
            var how = arena.allocate(OPEN_HOW, 8);
            how.set(ValueLayout.JAVA_LONG, 0, flags | CLOSE_ON_EXEC | NO_FOLLOW);
            how.set(ValueLayout.JAVA_LONG, 8, mode);
            how.set(ValueLayout.JAVA_LONG, 16, RESOLVE_STRICTLY);
            int opened = Libc.openat2(descriptor, arena.allocateFrom(name), how);
            if (opened < 0) {
                throw new SyscallException("open", path(name).toString(), -opened);
            }
            return opened;
        }
    }

    /** Whether the name is there, as whatever; a link counts, and is not followed. */
    public boolean exists(String name) {
        requireComponent(name);
        try (Arena arena = Arena.ofConfined()) {
            Statx.at(
                    descriptor,
                    arena.allocateFrom(name),
                    Statx.buffer(arena),
                    path(name).toString());
            return true;
        } catch (SyscallException failure) {
            if (failure.is(Errno.ENOENT)) {
                return false;
            }
            throw failure;
        }
    }

    /** Removes a file; false when it was not there. */
    public boolean unlink(String name) {
        return remove("unlink", name, 0);
    }

    /** Removes an empty directory; false when it was not there. */
    public boolean removeChild(String name) {
        return remove("rmdir", name, Libc.AT_REMOVEDIR);
    }

    private boolean remove(String kind, String name, int flags) {
        requireComponent(name);
        return Effects.perform(kind, path(name).toString(), () -> {
            try (Arena arena = Arena.ofConfined()) {
                int outcome = Libc.unlinkat(descriptor, arena.allocateFrom(name), flags);
                if (outcome == -Errno.ENOENT.number()) {
                    return false;
                }
                if (outcome < 0) {
                    throw new SyscallException(kind, path(name).toString(), -outcome);
                }
                return true;
            }
        });
    }

    public void rename(String from, String to) {
        requireComponent(from);
        requireComponent(to);
        Effects.run("rename", path(from) + " to " + to, () -> {
            try (Arena arena = Arena.ofConfined()) {
                int outcome = Libc.renameat(descriptor, arena.allocateFrom(from), descriptor, arena.allocateFrom(to));
                if (outcome < 0) {
                    throw new SyscallException("rename", path(from) + " to " + to, -outcome);
                }
            }
        });
    }

    public List<String> names() {
        var names = new ArrayList<String>();
        int reading = reopened();
        try (var entries = new DirectoryEntries(reading, path.toString())) {
            while (entries.next()) {
                names.add(entries.name());
            }
        } finally {
            Libc.close(reading);
        }
        return names;
    }

    /** A descriptor of its own, because reading moves a position. */
    private int reopened() {
        try (Arena arena = Arena.ofConfined()) {
            int opened = Libc.openat(descriptor, arena.allocateFrom("."), DIRECTORY | CLOSE_ON_EXEC, 0);
            if (opened < 0) {
                throw new SyscallException("open directory", path.toString(), -opened);
            }
            return opened;
        }
    }

    public void sync() {
        Effects.run("sync", path.toString(), () -> {
            int outcome = Libc.fsync(descriptor);
            if (outcome < 0) {
                throw new SyscallException("fsync", path.toString(), -outcome);
            }
        });
    }

    public Path path() {
        return path;
    }

    public Path path(String name) {
        return path.resolve(requireComponent(name));
    }

    private static String requireComponent(String name) {
        if (name.isEmpty()
                || name.equals(".")
                || name.equals("..")
                || name.indexOf('/') >= 0
                || name.indexOf('\0') >= 0) {
            throw new UnsafePathException("a single name is expected below a directory, not a path");
        }
        return name;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Libc.close(descriptor);
        }
    }
}
