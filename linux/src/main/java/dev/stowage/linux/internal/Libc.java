package dev.stowage.linux.internal;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/**
 * The raw calls, each answering as the kernel does: a result, or the negated error number.
 *
 * <p>All go through one linked handle that takes six integers. Linking a signature costs milliseconds at start, and on the
 * calling conventions we run on (System V x86-64, AAPCS64) integer and pointer arguments travel in the same registers, unused
 * ones are ignored, and variadic integers are passed like others; so one signature serves them all.
 */
public final class Libc {
    private static final boolean ARM = "aarch64".equals(System.getProperty("os.arch"));

    public static final int AT_FDCWD = -100;
    public static final int AT_SYMLINK_NOFOLLOW = 0x100;
    public static final int AT_REMOVEDIR = 0x200;
    public static final int AT_EMPTY_PATH = 0x1000;
    public static final int AT_NO_AUTOMOUNT = 0x800;
    public static final int AT_STATX_DONT_SYNC = 0x4000;

    public static final int O_RDONLY = 0;
    public static final int O_RDWR = 2;
    public static final int O_CREAT = 0x40;
    public static final int O_EXCL = 0x80;
    public static final int O_NONBLOCK = 0x800;
    public static final int O_CLOEXEC = 0x80000;
    public static final int O_PATH = 0x200000;
    public static final int O_DIRECT = ARM ? 0x10000 : 0x4000;
    public static final int O_DIRECTORY = ARM ? 0x4000 : 0x10000;
    public static final int O_NOFOLLOW = ARM ? 0x8000 : 0x20000;

    public static final long RESOLVE_NO_MAGICLINKS = 0x02;
    public static final long RESOLVE_NO_SYMLINKS = 0x04;
    public static final long RESOLVE_BENEATH = 0x08;

    public static final int FALLOC_FL_KEEP_SIZE = 0x01;
    public static final int FALLOC_FL_PUNCH_HOLE = 0x02;
    public static final int FALLOC_FL_UNSHARE_RANGE = 0x40;

    public static final int SEEK_DATA = 3;
    public static final int SEEK_HOLE = 4;

    private static final int OPENAT2 = 437;
    private static final int FCHMODAT2 = 452;
    private static final int OPEN_HOW_BYTES = 24;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final long ERRNO = STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle CALL = LINKER.downcallHandle(
            FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG),
            Linker.Option.captureCallState("errno"));

    private static final MemorySegment OPENAT = function("openat");
    private static final MemorySegment SYSCALL = function("syscall");
    private static final MemorySegment CLOSE = function("close");
    private static final MemorySegment STATX = function("statx");
    private static final MemorySegment FTRUNCATE = function("ftruncate");
    private static final MemorySegment FALLOCATE = function("fallocate");
    private static final MemorySegment PREAD = function("pread");
    private static final MemorySegment PWRITE = function("pwrite");
    private static final MemorySegment LSEEK = function("lseek");
    private static final MemorySegment COPY_FILE_RANGE = function("copy_file_range");
    private static final MemorySegment FSYNC = function("fsync");
    private static final MemorySegment FDATASYNC = function("fdatasync");
    private static final MemorySegment MKDIRAT = function("mkdirat");
    private static final MemorySegment UNLINKAT = function("unlinkat");
    private static final MemorySegment RENAMEAT = function("renameat");
    private static final MemorySegment IOCTL = function("ioctl");
    private static final MemorySegment MOUNT = function("mount");
    private static final MemorySegment UMOUNT2 = function("umount2");
    private static final MemorySegment STATVFS = function("statvfs");
    private static final MemorySegment FSTATVFS = function("fstatvfs");
    private static final MemorySegment MKNOD = function("mknod");
    private static final MemorySegment FCHOWNAT = function("fchownat");
    private static final MemorySegment FCHMODAT = function("fchmodat");
    private static final MemorySegment FCHMOD = function("fchmod");
    private static final MemorySegment GETDENTS64 = function("getdents64");
    private static final MemorySegment KILL = function("kill");
    private static final MemorySegment GETEUID = function("geteuid");
    private static final MemorySegment FLOCK = function("flock");

    private Libc() {}

    /** Throws if the result is a negated error number, and returns it otherwise. */
    public static long check(long result, String call, Object subject) {
        if (result < 0) {
            throw new SyscallException(call, subject.toString(), (int) -result);
        }
        return result;
    }

    public static int check(int result, String call, Object subject) {
        return (int) check((long) result, call, subject);
    }

    /** Room for the error number of a call, for loops that make many. */
    public static MemorySegment state(SegmentAllocator allocator) {
        return allocator.allocate(STATE);
    }

    /** A C string. A NUL inside would cut it short and so name something else. */
    public static MemorySegment string(SegmentAllocator allocator, String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a NUL character in " + text.replace("\0", "\\0"));
        }
        return allocator.allocateFrom(text, StandardCharsets.UTF_8);
    }

    public static int openat(int directory, String path, int flags, int mode) {
        try (var arena = Arena.ofConfined()) {
            return integer(OPENAT, state(arena), directory, string(arena, path).address(), flags | O_CLOEXEC, mode, 0);
        }
    }

    /** As {@code openat}, with a name already in native memory. */
    public static int openat(MemorySegment state, int directory, long name, int flags) {
        return integer(OPENAT, state, directory, name, flags | O_CLOEXEC, 0, 0);
    }

    public static int openat2(int directory, String path, int flags, int mode, long resolve) {
        try (var arena = Arena.ofConfined()) {
            var how = arena.allocate(OPEN_HOW_BYTES, 8);
            how.set(ValueLayout.JAVA_LONG, 0, flags | O_CLOEXEC);
            how.set(ValueLayout.JAVA_LONG, 8, mode);
            how.set(ValueLayout.JAVA_LONG, 16, resolve);
            var name = string(arena, path).address();
            return (int) result(SYSCALL, state(arena), OPENAT2, directory, name, how.address(), OPEN_HOW_BYTES, 0);
        }
    }

    public static int close(int descriptor) {
        return integer(CLOSE, descriptor, 0, 0, 0, 0);
    }

    public static int close(MemorySegment state, int descriptor) {
        return integer(CLOSE, state, descriptor, 0, 0, 0, 0);
    }

    static int statx(MemorySegment state, int directory, long path, int flags, int mask, MemorySegment into) {
        return integer(STATX, state, directory, path, flags, mask, into.address());
    }

    public static int ftruncate(int descriptor, long size) {
        return integer(FTRUNCATE, descriptor, size, 0, 0, 0);
    }

    public static int fallocate(int descriptor, int mode, long offset, long length) {
        return integer(FALLOCATE, descriptor, mode, offset, length, 0);
    }

    public static long pread(int descriptor, MemorySegment into, long length, long offset) {
        return number(PREAD, descriptor, into.address(), length, offset, 0, 0);
    }

    public static long pwrite(int descriptor, MemorySegment from, long length, long offset) {
        return number(PWRITE, descriptor, from.address(), length, offset, 0, 0);
    }

    public static long lseek(int descriptor, long offset, int whence) {
        return number(LSEEK, descriptor, offset, whence, 0, 0, 0);
    }

    /** The offsets are cells in native memory that the call moves on. */
    public static long copyFileRange(int from, MemorySegment fromOffset, int to, MemorySegment toOffset, long length) {
        return number(COPY_FILE_RANGE, from, fromOffset.address(), to, toOffset.address(), length, 0);
    }

    public static int fsync(int descriptor) {
        return integer(FSYNC, descriptor, 0, 0, 0, 0);
    }

    public static int fdatasync(int descriptor) {
        return integer(FDATASYNC, descriptor, 0, 0, 0, 0);
    }

    public static int mkdirat(int directory, String name, int mode) {
        try (var arena = Arena.ofConfined()) {
            return integer(MKDIRAT, state(arena), directory, string(arena, name).address(), mode, 0, 0);
        }
    }

    public static int unlinkat(int directory, String name, int flags) {
        try (var arena = Arena.ofConfined()) {
            return integer(
                    UNLINKAT, state(arena), directory, string(arena, name).address(), flags, 0, 0);
        }
    }

    public static int renameat(int fromDirectory, String from, int toDirectory, String to) {
        try (var arena = Arena.ofConfined()) {
            var source = string(arena, from).address();
            var target = string(arena, to).address();
            return integer(RENAMEAT, state(arena), fromDirectory, source, toDirectory, target, 0);
        }
    }

    public static int ioctl(int descriptor, long request, long argument) {
        return integer(IOCTL, descriptor, request, argument, 0, 0);
    }

    /** An empty type or data is passed as a null pointer. */
    public static int mount(String source, String target, String type, long flags, String data) {
        try (var arena = Arena.ofConfined()) {
            return integer(
                    MOUNT,
                    state(arena),
                    string(arena, source).address(),
                    string(arena, target).address(),
                    type.isEmpty() ? 0 : string(arena, type).address(),
                    flags,
                    data.isEmpty() ? 0 : string(arena, data).address());
        }
    }

    public static int umount(String target, int flags) {
        try (var arena = Arena.ofConfined()) {
            return integer(UMOUNT2, state(arena), string(arena, target).address(), flags, 0, 0, 0);
        }
    }

    public static int statvfs(String path, MemorySegment into) {
        try (var arena = Arena.ofConfined()) {
            return integer(STATVFS, state(arena), string(arena, path).address(), into.address(), 0, 0, 0);
        }
    }

    public static int fstatvfs(int descriptor, MemorySegment into) {
        return integer(FSTATVFS, descriptor, into.address(), 0, 0, 0);
    }

    public static int mknod(String path, int mode, long device) {
        try (var arena = Arena.ofConfined()) {
            return integer(MKNOD, state(arena), string(arena, path).address(), mode, device, 0, 0);
        }
    }

    public static int fchownat(MemorySegment state, int directory, long name, int user, int group, int flags) {
        return integer(FCHOWNAT, state, directory, name, user, group, flags);
    }

    public static int fchmod(int descriptor, int mode) {
        return integer(FCHMOD, descriptor, mode, 0, 0, 0);
    }

    /** Sets permissions, never those of what a symbolic link leads to. */
    public static int fchmodat(MemorySegment state, int directory, long name, int mode, int flags) {
        var result = (int) result(SYSCALL, state, FCHMODAT2, directory, name, mode, flags, 0);
        // Before Linux 6.6 the C library has to go a longer way.
        return result == -Errno.ENOSYS.number() ? integer(FCHMODAT, state, directory, name, mode, flags, 0) : result;
    }

    public static long getdents(MemorySegment state, int descriptor, MemorySegment into) {
        return result(GETDENTS64, state, descriptor, into.address(), into.byteSize(), 0, 0, 0);
    }

    public static int kill(long process, int signal) {
        return integer(KILL, process, signal, 0, 0, 0);
    }

    public static int geteuid() {
        return integer(GETEUID, 0, 0, 0, 0, 0);
    }

    public static int flock(int descriptor, int operation) {
        return integer(FLOCK, descriptor, operation, 0, 0, 0);
    }

    private static int integer(MemorySegment function, long a, long b, long c, long d, long e) {
        try (var arena = Arena.ofConfined()) {
            return integer(function, state(arena), a, b, c, d, e);
        }
    }

    /** For functions that return a C int: the upper half of the register is not defined. */
    private static int integer(MemorySegment function, MemorySegment state, long a, long b, long c, long d, long e) {
        var value = (int) invoke(function, state, a, b, c, d, e, 0);
        return value == -1 ? -errno(state) : value;
    }

    private static long number(MemorySegment function, long a, long b, long c, long d, long e, long f) {
        try (var arena = Arena.ofConfined()) {
            return result(function, state(arena), a, b, c, d, e, f);
        }
    }

    private static long result(
            MemorySegment function, MemorySegment state, long a, long b, long c, long d, long e, long f) {
        var value = invoke(function, state, a, b, c, d, e, f);
        return value == -1 ? -errno(state) : value;
    }

    private static int errno(MemorySegment state) {
        return state.get(ValueLayout.JAVA_INT, ERRNO);
    }

    private static long invoke(
            MemorySegment function, MemorySegment state, long a, long b, long c, long d, long e, long f) {
        try {
            return (long) CALL.invokeExact(function, state, a, b, c, d, e, f);
        } catch (RuntimeException | Error unchecked) {
            throw unchecked;
        } catch (Throwable impossible) {
            throw new IllegalStateException("a C function cannot throw", impossible);
        }
    }

    private static MemorySegment function(String name) {
        return LINKER.defaultLookup().findOrThrow(name);
    }
}
