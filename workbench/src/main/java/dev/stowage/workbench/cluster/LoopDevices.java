package dev.stowage.workbench.cluster;

import dev.stowage.workbench.process.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * The loop devices on files of a cluster. A node that ends does not detach what it attached, and a path says nothing about such a
 * device, because it is the path that the node saw. So files are told by their inodes.
 */
final class LoopDevices {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private LoopDevices() {}

    private record Device(String path, long inode, String on) {}

    /** Those on files below a directory, and those on files on them; the last come first, which is the order to detach them in. */
    static List<String> below(Path directory) {
        var all = all();
        if (all.isEmpty() || !Files.exists(directory)) {
            return List.of();
        }
        var inodes = inodesBelow(directory);
        var device = deviceOf(directory);
        var found = new ArrayList<Device>();
        for (var candidate : all) {
            if (candidate.on().equals(device) && inodes.contains(candidate.inode())) {
                found.addFirst(candidate);
            }
        }
        for (int more = 0; more != found.size(); ) {
            more = found.size();
            var numbers = found.stream().map(LoopDevices::numbers).toList();
            all.stream()
                    .filter(candidate -> numbers.contains(candidate.on()) && !found.contains(candidate))
                    .toList()
                    .forEach(found::addFirst);
        }
        return found.stream().map(Device::path).toList();
    }

    static void detach(String device) {
        Programs.run(LIMIT, "losetup", "--detach", device).orThrow();
    }

    private static List<Device> all() {
        return Programs.run(LIMIT, "losetup", "--list", "--noheadings", "--output", "NAME,BACK-INO,BACK-MAJ:MIN")
                .orThrow()
                .lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(fields -> fields.length == 3)
                .map(fields -> new Device(fields[0], Long.parseLong(fields[1]), fields[2]))
                .toList();
    }

    private static String numbers(Device device) {
        return "7:" + device.path().substring("/dev/loop".length());
    }

    private static String deviceOf(Path directory) {
        return Programs.run(LIMIT, "mountpoint", "--fs-devno", "--", mountOf(directory))
                .orThrow()
                .strip();
    }

    private static String mountOf(Path directory) {
        return Programs.run(LIMIT, "stat", "--format=%m", "--", directory.toString())
                .orThrow()
                .strip();
    }

    /** The nodes may still be running, and their files come and go. */
    private static HashSet<Long> inodesBelow(Path directory) {
        var found = new HashSet<Long>();
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    if (attributes.isRegularFile()) {
                        try {
                            found.add((Long) Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS));
                        } catch (NoSuchFileException gone) {
                            return FileVisitResult.CONTINUE;
                        }
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                    if (failure instanceof NoSuchFileException) {
                        return FileVisitResult.CONTINUE;
                    }
                    throw failure;
                }
            });
            return found;
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot look through " + directory, failure);
        }
    }
}
