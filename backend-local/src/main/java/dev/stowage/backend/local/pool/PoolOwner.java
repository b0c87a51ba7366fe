package dev.stowage.backend.local.pool;

import dev.stowage.core.error.StowageException;
import dev.stowage.linux.file.Directory;
import dev.stowage.linux.file.FileHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Which driver a pool is of. The locks of the records keep a second process out while the first one runs; this keeps a driver of another
 * name out also while the first one restarts. It would serve volumes whose users ask the other driver for them.
 */
public final class PoolOwner {

    private static final int LONGEST_NAME = 1024;

    private PoolOwner() {}

    /** Refuses the pool of a driver of another name. One that has no driver on record is anybody's. */
    public static void require(Pool pool, String driver) {
        Pool.open(pool.root(), PoolLayout.DRIVER, false).ifPresent(file -> {
            try (file) {
                String owner = text(file).strip();
                if (!owner.equals(driver)) {
                    throw StowageException.notPossible(
                            "pool %s is of the driver '%s', and this is the driver '%s'; give this one a pool of its own, or remove"
                                    + " %s if the other is gone for good",
                            pool.path(), owner, driver, pool.root().path(PoolLayout.DRIVER));
                }
            }
        });
    }

    /** Puts the driver on record; whoever calls this has the pool's records to itself. */
    public static void record(Pool pool, String driver) {
        Directory root = pool.root();
        if (root.exists(PoolLayout.DRIVER)) {
            return;
        }
        String unfinished = PoolLayout.DRIVER + ".new";
        root.unlink(unfinished);
        try (FileHandle file = root.create(unfinished)) {
            file.write(ByteBuffer.wrap((driver + "\n").getBytes(StandardCharsets.US_ASCII)), 0);
            file.sync();
        }
        root.rename(unfinished, PoolLayout.DRIVER);
        root.sync();
    }

    private static String text(FileHandle file) {
        var content = ByteBuffer.allocate(LONGEST_NAME);
        while (content.hasRemaining() && file.read(content, content.position()) >= 0) {
            // until all is read
        }
        return new String(content.array(), 0, content.position(), StandardCharsets.US_ASCII);
    }
}
