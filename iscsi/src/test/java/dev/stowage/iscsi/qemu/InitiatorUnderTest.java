package dev.stowage.iscsi.qemu;

import dev.stowage.iscsi.Attached;
import dev.stowage.iscsi.Initiator.How;
import dev.stowage.iscsi.testing.Tgt;
import dev.stowage.linux.loop.LoopDevices;
import dev.stowage.linux.mount.Mounts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** A target, a server and a driver's side of an initiator. Closing it takes away everything that they made. */
final class InitiatorUnderTest implements AutoCloseable {

    static final How WRITABLE = new How(false, false);
    static final int BLOCK = 4096;

    final Tgt tgt;
    final Path directory;
    InitiatorServer server;
    QemuInitiator initiator;

    InitiatorUnderTest() throws IOException {
        tgt = new Tgt();
        directory = Files.createTempDirectory("stowage-ini-");
        server = InitiatorServer.start(directory, Duration.ofSeconds(3));
        initiator = new QemuInitiator(Tgt.NODE, directory);
    }

    /** The driver ends, and another takes its place. */
    void restartDriver() {
        initiator = new QemuInitiator(Tgt.NODE, directory);
    }

    void restartServer() {
        server.close();
        server = InitiatorServer.start(directory, Duration.ofSeconds(3));
    }

    static void write(Attached unit, int value) throws IOException {
        write(unit.device(), value);
    }

    /** Writes one block, and returns when it is on stable storage. */
    static void write(Path device, int value) throws IOException {
        var block = new byte[BLOCK];
        Arrays.fill(block, (byte) value);
        try (var channel = FileChannel.open(device, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(block), 0);
            channel.force(true);
        }
    }

    static int read(Attached unit) throws IOException {
        try (var channel = FileChannel.open(unit.device(), StandardOpenOption.READ)) {
            var block = ByteBuffer.allocate(BLOCK);
            channel.read(block, 0);
            return block.get(0);
        }
    }

    List<Path> units() throws IOException {
        try (var files = Files.list(directory)) {
            return files.filter(Files::isDirectory).toList();
        }
    }

    ProcessHandle daemon(Path unit) throws IOException {
        return ProcessHandle.of(
                        Long.parseLong(Files.readString(unit.resolve("pid")).strip()))
                .orElseThrow();
    }

    void killDaemons() throws IOException {
        for (var unit : units()) {
            var process = daemon(unit);
            process.destroyForcibly();
            process.onExit().join();
        }
    }

    List<LoopDevices.Attached> loops() {
        return LoopDevices.attached().stream()
                .filter(loop -> loop.backingFile().startsWith(directory.toString()))
                .toList();
    }

    List<Path> mounts() {
        return Mounts.all().stream()
                .map(mount -> mount.target())
                .filter(target -> target.startsWith(directory))
                .toList();
    }

    @Override
    public void close() throws IOException {
        loops().forEach(loop -> LoopDevices.detach(loop.number(), loop.backing()));
        server.close();
        for (var unit : units()) {
            new UnitDaemon(unit).remove();
        }
        Files.deleteIfExists(directory.resolve(Wire.SOCKET));
        Files.delete(directory);
        tgt.close();
    }
}
