package dev.stowage.linux.file;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import java.nio.ByteBuffer;
import java.util.UUID;

/** Whether files in a directory can share blocks. */
public final class Reflink {
    private static final int SAMPLE_BYTES = 4096;

    private static final String PREFIX = ".reflink-";

    private Reflink() {}

    /** Tries it with two small files, which are gone afterwards. Their names begin with {@code .reflink-}. */
    public static boolean supported(Directory directory) {
        // A crash during an earlier try leaves its files. Those of a try that is under way are open, and need no name.
        directory.names().stream().filter(name -> name.startsWith(PREFIX)).forEach(directory::unlink);
        var name = PREFIX + UUID.randomUUID();
        try (var source = directory.create(name + "-a");
                var target = directory.create(name + "-b")) {
            source.write(ByteBuffer.allocate(SAMPLE_BYTES), 0);
            target.cloneFrom(source);
            return true;
        } catch (SyscallException refusal) {
            if (refusal.is(Errno.EOPNOTSUPP)
                    || refusal.is(Errno.ENOTTY)
                    || refusal.is(Errno.EINVAL)
                    || refusal.is(Errno.ENOSYS)
                    || refusal.is(Errno.EXDEV)) {
                return false;
            }
            throw refusal;
        } finally {
            directory.unlink(name + "-a");
            directory.unlink(name + "-b");
        }
    }
}
