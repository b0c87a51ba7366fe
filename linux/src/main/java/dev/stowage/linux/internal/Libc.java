package dev.stowage.linux.internal;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The C library's functions that we call, as they are: an int or a long comes back, and an error comes back as {@code -errno}.
 *
 * <p>Each function is linked when it is first called. Linking costs milliseconds, and most processes need only some of them.
 */
public final class Libc {

    public static final int AT_FDCWD = -100;
    public static final int AT_SYMLINK_NOFOLLOW = 0x100;
    public static final int AT_REMOVEDIR = 0x200;
    public static final int AT_EMPTY_PATH = 0x1000;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final AddressLayout POINTER = ValueLayout.ADDRESS;
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final ThreadLocal<MemorySegment> CAPTURED =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STATE));

    private static final Function OPEN = new Function("open", 2, INT, POINTER, INT, INT);
    private static final Function OPENAT = new Function("openat", 3, INT, INT, POINTER, INT, INT);
    private static final Function SYSCALL = new Function("syscall", 1, LONG, LONG, LONG, POINTER, POINTER, LONG);
    private static final Function CLOSE = new Function("close", -1, INT, INT);
    private static final Function STATX = new Function("statx", -1, INT, INT, POINTER, INT, INT, POINTER);
    private static final Function FTRUNCATE = new Function("ftruncate", -1, INT, INT, LONG);
    private static final Function FALLOCATE = new Function("fallocate", -1, INT, INT, INT, LONG, LONG);
    private static final Function IOCTL = new Function("ioctl", 2, INT, INT, LONG, LONG);
    private static final Function FSYNC = new Function("fsync", -1, INT, INT);
    private static final Function UNLINKAT = new Function("unlinkat", -1, INT, INT, POINTER, INT);
    private static final Function RENAMEAT = new Function("renameat", -1, INT, INT, POINTER, INT, POINTER);
    private static final Function MKDIRAT = new Function("mkdirat", -1, INT, INT, POINTER, INT);
    private static final Function MKNODAT = new Function("mknodat", -1, INT, INT, POINTER, INT, LONG);
    private static final Function PREAD = new Function("pread", -1, LONG, INT, POINTER, LONG, LONG);
    private static final Function PWRITE = new Function("pwrite", -1, LONG, INT, POINTER, LONG, LONG);
    private static final Function LSEEK = new Function("lseek", -1, LONG, INT, LONG, INT);
    private static final Function COPY_FILE_RANGE =
            new Function("copy_file_range", -1, LONG, INT, POINTER, INT, POINTER, LONG, INT);
    private static final Function MOUNT = new Function("mount", -1, INT, POINTER, POINTER, POINTER, LONG, POINTER);
    private static final Function UMOUNT2 = new Function("umount2", -1, INT, POINTER, INT);
    private static final Function STATFS = new Function("statfs", -1, INT, POINTER, POINTER);
    private static final Function GETDENTS64 = new Function("getdents64", -1, LONG, INT, POINTER, LONG);
    private static final Function FCHOWNAT = new Function("fchownat", -1, INT, INT, POINTER, INT, INT, INT);
    private static final Function FCHMODAT = new Function("fchmodat", -1, INT, INT, POINTER, INT, INT);
    private static final Function KILL = new Function("kill", -1, INT, INT, INT);
    private static final Function GETPID = new Function("getpid", -1, INT);
    private static final Function GETEUID = new Function("geteuid", -1, INT);

    private Libc() {}

    private static final class Function {
        private final String name;
        private final int variadicFrom;
        private final FunctionDescriptor descriptor;
        private volatile @Nullable MethodHandle handle;

        Function(String name, int variadicFrom, MemoryLayout result, MemoryLayout... arguments) {
            this.name = name;
            this.variadicFrom = variadicFrom;
            this.descriptor = FunctionDescriptor.of(result, arguments);
        }

        MethodHandle handle() {
            var linked = handle;
            if (linked == null) {
                var linker = Linker.nativeLinker();
                var address = linker.defaultLookup().findOrThrow(name);
                var capture = Linker.Option.captureCallState("errno");
                linked = variadicFrom < 0
                        ? linker.downcallHandle(address, descriptor, capture)
                        : linker.downcallHandle(
                                address, descriptor, capture, Linker.Option.firstVariadicArg(variadicFrom));
                handle = linked;
            }
            return linked;
        }
    }

    private interface Call {
        long invoke(MemorySegment state) throws Throwable;
    }

    private static long call(Call call) {
        var state = CAPTURED.get();
        try {
            long result = call.invoke(state);
            return result == -1 ? -(int) ERRNO.get(state, 0L) : result;
        } catch (RuntimeException | Error unexpected) {
            throw unexpected;
        } catch (Throwable impossible) {
            throw new IllegalStateException("a native call cannot throw", impossible);
        }
    }

    public static int open(MemorySegment path, int flags, int mode) {
        return (int) call(state -> (int) OPEN.handle().invokeExact(state, path, flags, mode));
    }

    public static int openat(int directory, MemorySegment path, int flags, int mode) {
        return (int) call(state -> (int) OPENAT.handle().invokeExact(state, directory, path, flags, mode));
    }

    /** openat2(2) has no wrapper in older C libraries; its number is the same on every architecture. */
    public static int openat2(int directory, MemorySegment path, MemorySegment how) {
        return (int) call(
                state -> (long) SYSCALL.handle().invokeExact(state, 437L, (long) directory, path, how, how.byteSize()));
    }

    public static int close(int descriptor) {
        return (int) call(state -> (int) CLOSE.handle().invokeExact(state, descriptor));
    }

    public static int statx(int directory, MemorySegment path, int flags, int mask, MemorySegment result) {
        return (int) call(state -> (int) STATX.handle().invokeExact(state, directory, path, flags, mask, result));
    }

    public static int ftruncate(int descriptor, long size) {
        return (int) call(state -> (int) FTRUNCATE.handle().invokeExact(state, descriptor, size));
    }

    public static int fallocate(int descriptor, int mode, long offset, long length) {
        return (int) call(state -> (int) FALLOCATE.handle().invokeExact(state, descriptor, mode, offset, length));
    }

    public static int ioctl(int descriptor, long request, long argument) {
        return (int) call(state -> (int) IOCTL.handle().invokeExact(state, descriptor, request, argument));
    }

    public static int ioctl(int descriptor, long request, MemorySegment argument) {
        return ioctl(descriptor, request, argument.address());
    }

    public static int fsync(int descriptor) {
        return (int) call(state -> (int) FSYNC.handle().invokeExact(state, descriptor));
    }

    public static int unlinkat(int directory, MemorySegment path, int flags) {
        return (int) call(state -> (int) UNLINKAT.handle().invokeExact(state, directory, path, flags));
    }

    public static int renameat(int fromDirectory, MemorySegment from, int toDirectory, MemorySegment to) {
        return (int) call(state -> (int) RENAMEAT.handle().invokeExact(state, fromDirectory, from, toDirectory, to));
    }

    public static int mkdirat(int directory, MemorySegment path, int mode) {
        return (int) call(state -> (int) MKDIRAT.handle().invokeExact(state, directory, path, mode));
    }

    public static int mknodat(int directory, MemorySegment path, int mode, long device) {
        return (int) call(state -> (int) MKNODAT.handle().invokeExact(state, directory, path, mode, device));
    }

    public static long pread(int descriptor, MemorySegment buffer, long length, long offset) {
        return call(state -> (long) PREAD.handle().invokeExact(state, descriptor, buffer, length, offset));
    }

    public static long pwrite(int descriptor, MemorySegment buffer, long length, long offset) {
        return call(state -> (long) PWRITE.handle().invokeExact(state, descriptor, buffer, length, offset));
    }

    public static long lseek(int descriptor, long offset, int whence) {
        return call(state -> (long) LSEEK.handle().invokeExact(state, descriptor, offset, whence));
    }

    public static long copyFileRange(int from, MemorySegment fromOffset, int to, MemorySegment toOffset, long length) {
        return call(
                state -> (long) COPY_FILE_RANGE.handle().invokeExact(state, from, fromOffset, to, toOffset, length, 0));
    }

    public static int mount(
            MemorySegment source, MemorySegment target, MemorySegment type, long flags, MemorySegment data) {
        return (int) call(state -> (int) MOUNT.handle().invokeExact(state, source, target, type, flags, data));
    }

    public static int umount2(MemorySegment target, int flags) {
        return (int) call(state -> (int) UMOUNT2.handle().invokeExact(state, target, flags));
    }

    public static int statfs(MemorySegment path, MemorySegment result) {
        return (int) call(state -> (int) STATFS.handle().invokeExact(state, path, result));
    }

    public static long getdents64(int descriptor, MemorySegment buffer) {
        return call(state -> (long) GETDENTS64.handle().invokeExact(state, descriptor, buffer, buffer.byteSize()));
    }

    public static int fchownat(int directory, MemorySegment path, int user, int group, int flags) {
        return (int) call(state -> (int) FCHOWNAT.handle().invokeExact(state, directory, path, user, group, flags));
    }

    public static int fchmodat(int directory, MemorySegment path, int mode) {
        return (int) call(state -> (int) FCHMODAT.handle().invokeExact(state, directory, path, mode, 0));
    }

    public static int kill(int process, int signal) {
        return (int) call(state -> (int) KILL.handle().invokeExact(state, process, signal));
    }

    public static int getpid() {
        return (int) call(state -> (int) GETPID.handle().invokeExact(state));
    }

    public static int geteuid() {
        return (int) call(state -> (int) GETEUID.handle().invokeExact(state));
    }
}
