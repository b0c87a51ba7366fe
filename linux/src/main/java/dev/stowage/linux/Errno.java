package dev.stowage.linux;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The error numbers that callers tell apart. The numbers are those of every Linux architecture we run on. */
public enum Errno {
    EPERM(1, "operation not permitted"),
    ENOENT(2, "no such file or directory"),
    EINTR(4, "interrupted"),
    EIO(5, "input/output error"),
    ENXIO(6, "no such device or address"),
    EBADF(9, "bad file descriptor"),
    EAGAIN(11, "try again"),
    ENOMEM(12, "out of memory"),
    EACCES(13, "permission denied"),
    EBUSY(16, "device or resource busy"),
    EEXIST(17, "file exists"),
    EXDEV(18, "not on the same filesystem"),
    ENODEV(19, "no such device or filesystem type"),
    ENOTDIR(20, "not a directory"),
    EISDIR(21, "is a directory"),
    EINVAL(22, "invalid argument"),
    ENFILE(23, "too many open files in the system"),
    EMFILE(24, "too many open files in this process"),
    ENOTTY(25, "not supported by this kind of file"),
    EFBIG(27, "file too large"),
    ENOSPC(28, "no space left"),
    EROFS(30, "read-only filesystem"),
    ENAMETOOLONG(36, "name too long"),
    ENOSYS(38, "not known to this kernel"),
    ENOTEMPTY(39, "directory not empty"),
    ELOOP(40, "symbolic link where none is allowed"),
    EPROTONOSUPPORT(93, "protocol not supported"),
    EOPNOTSUPP(95, "not supported by this filesystem"),
    ECONNABORTED(103, "the process that serves this has given it up"),
    ENOTCONN(107, "the process that serves this has ended"),
    ETIMEDOUT(110, "no answer in time"),
    ECONNREFUSED(111, "connection refused"),
    EHOSTUNREACH(113, "no route to it"),
    ESTALE(116, "stale file handle"),
    EUCLEAN(117, "the filesystem needs repair"),
    EDQUOT(122, "quota exceeded");

    private final int number;
    private final String description;

    Errno(int number, String description) {
        this.number = number;
        this.description = description;
    }

    public int number() {
        return number;
    }

    /** A name and a meaning for people, also for numbers that have no constant here. */
    public static String describe(int number) {
        var known = of(number);
        return known == null
                ? "errno " + number
                : String.format(Locale.ROOT, "%s (%s)", known.name(), known.description);
    }

    private static @Nullable Errno of(int number) {
        for (var candidate : values()) {
            if (candidate.number == number) {
                return candidate;
            }
        }
        return null;
    }
}
