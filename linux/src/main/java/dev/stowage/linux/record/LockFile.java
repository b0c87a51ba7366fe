package dev.stowage.linux.record;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.file.Directory;
import dev.stowage.linux.file.FileHandle;
import dev.stowage.linux.internal.Libc;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A lock that the kernel lets go when its holder ends, however it ends. The file says who holds it and is never removed. */
final class LockFile implements AutoCloseable {
    private static final int EXCLUSIVE_NOT_WAITING = 2 | 4;
    private static final int MESSAGE_LIMIT = 256;

    private final FileHandle file;

    private LockFile(FileHandle file) {
        this.file = file;
    }

    static LockFile take(Directory directory, String name, Path guarded, String owner) {
        var file = open(directory, name);
        try {
            var result = Libc.flock(file.descriptor(), EXCLUSIVE_NOT_WAITING);
            if (result == -Errno.EAGAIN.number()) {
                throw new RecordLogException(
                        "the record log %s is in use by another stowage process (%s); stop that one first, or give this one a place of its own"
                                .formatted(guarded, holder(file)));
            }
            Libc.check(result, "lock", file.path());
            file.truncate(0);
            var text = "pid " + ProcessHandle.current().pid() + ", " + owner;
            file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
            return new LockFile(file);
        } catch (RuntimeException failure) {
            file.close();
            throw failure;
        }
    }

    @Override
    public void close() {
        file.close();
    }

    private static FileHandle open(Directory directory, String name) {
        if (!directory.exists(name)) {
            try {
                return directory.create(name);
            } catch (SyscallException refusal) {
                if (!refusal.is(Errno.EEXIST)) {
                    throw refusal;
                }
            }
        }
        return directory.open(name, true);
    }

    private static String holder(FileHandle file) {
        var text = ByteBuffer.allocate(MESSAGE_LIMIT);
        return file.read(text, 0) < 0
                ? "which has not said who it is"
                : new String(text.array(), 0, text.position(), StandardCharsets.UTF_8);
    }
}
