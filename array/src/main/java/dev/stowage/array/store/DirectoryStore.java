package dev.stowage.array.store;

import dev.stowage.core.error.StowageException;
import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.file.Directory;
import dev.stowage.linux.file.FileHandle;
import dev.stowage.linux.file.Reflink;
import dev.stowage.linux.file.SparseCopy;
import java.nio.file.Path;

/** One file for each volume and snapshot. Copies share their blocks where the filesystem can. */
public final class DirectoryStore implements Store {

    private final Directory directory;
    private final boolean sharesBlocks;

    private DirectoryStore(Directory directory, boolean sharesBlocks) {
        this.directory = directory;
        this.sharesBlocks = sharesBlocks;
    }

    /** Opens a directory that is there. */
    public static DirectoryStore open(Path path) {
        var directory = Directory.open(path);
        try {
            return new DirectoryStore(directory, Reflink.supported(directory));
        } catch (RuntimeException failure) {
            directory.close();
            throw failure;
        }
    }

    @Override
    public void create(String id, long bytes) {
        remove(id);
        try (FileHandle file = directory.create(id)) {
            file.truncate(bytes);
            file.sync();
        } catch (SyscallException failure) {
            throw explained(id, failure);
        }
        directory.sync();
    }

    @Override
    public void copy(String source, String id) {
        remove(id);
        try (FileHandle from = directory.open(source, false);
                FileHandle to = directory.create(id)) {
            if (sharesBlocks) {
                to.cloneFrom(from);
                to.sync();
            } else {
                SparseCopy.copy(from, to, (done, total) -> {});
            }
        } catch (SyscallException failure) {
            throw explained(id, failure);
        }
        directory.sync();
    }

    @Override
    public boolean copiesInstantly() {
        return sharesBlocks;
    }

    @Override
    public void grow(String id, long bytes) {
        try (FileHandle file = directory.open(id, true)) {
            if (file.size() < bytes) {
                file.truncate(bytes);
                file.sync();
            }
        } catch (SyscallException failure) {
            throw explained(id, failure);
        }
    }

    @Override
    public void remove(String id) {
        if (directory.unlink(id)) {
            directory.sync();
        }
    }

    @Override
    public Path path(String id) {
        return directory.path(id);
    }

    @Override
    public long allocatedBytes(String id) {
        try (FileHandle file = directory.open(id, false)) {
            return file.allocatedBytes();
        } catch (SyscallException failure) {
            if (failure.is(Errno.ENOENT)) {
                return 0;
            }
            throw failure;
        }
    }

    @Override
    public Room room() {
        // Not through a FileStore, which reads the table of all mounts each time.
        var path = directory.path().toFile();
        if (path.getTotalSpace() == 0) {
            throw StowageException.unavailable(
                    "%s: its filesystem does not tell how much room there is", directory.path());
        }
        return new Room(path.getTotalSpace(), path.getUsableSpace());
    }

    @Override
    public void close() {
        directory.close();
    }

    private StowageException explained(String id, SyscallException failure) {
        if (failure.is(Errno.ENOSPC) || failure.is(Errno.EDQUOT)) {
            return StowageException.exhausted(
                    "%s: the filesystem of %s is full; delete volumes or snapshots, or enlarge it",
                    id, directory.path());
        }
        if (failure.is(Errno.EFBIG)) {
            return StowageException.outOfRange(
                    "%s: the filesystem of %s cannot hold so large a file", id, directory.path());
        }
        return StowageException.internal(failure, "%s: %s", id, failure.getMessage());
    }
}
