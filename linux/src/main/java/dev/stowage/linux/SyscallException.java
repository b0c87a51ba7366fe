package dev.stowage.linux;

/** A system call that the kernel refused: which one, on what, and why. */
public final class SyscallException extends RuntimeException {
    private final String call;
    private final String subject;
    private final int errno;

    public SyscallException(String call, String subject, int errno) {
        super(call + " " + subject + ": " + Errno.describe(errno));
        this.call = call;
        this.subject = subject;
        this.errno = errno;
    }

    public String call() {
        return call;
    }

    public String subject() {
        return subject;
    }

    public int errno() {
        return errno;
    }

    public boolean is(Errno expected) {
        return errno == expected.number();
    }
}
