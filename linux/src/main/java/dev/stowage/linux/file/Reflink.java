package dev.stowage.linux.file;

import dev.stowage.linux.SyscallException;
import java.nio.ByteBuffer;
import java.util.UUID;

/** Whether a filesystem lets two files share blocks. */
public final class Reflink {

    private static final int BLOCK = 4096;

    private Reflink() {}

    /** Tries it, with two small files that are gone afterwards. */
    public static boolean supported(Directory directory) {
        String name = ".reflink-" + UUID.randomUUID();
        try (FileHandle source = directory.create(name + "-a");
                FileHandle copy = directory.create(name + "-b")) {
            source.write(ByteBuffer.allocate(BLOCK).putInt(0, 1), 0);
            copy.cloneFrom(source);
            return true;
        } catch (SyscallException refused) {
            // Filesystems answer in many ways: EOPNOTSUPP, ENOTTY, EINVAL. A file that could not even be made is
            // another matter.
            if (refused.call().startsWith("clone")) {
                return false;
            }
            throw refused;
        } finally {
            directory.unlink(name + "-a");
            directory.unlink(name + "-b");
        }
    }
}
