package dev.stowage.cli.tour;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;
import java.util.TreeMap;

/** Data that can be recognised byte by byte. */
final class Payload {

    private static final int CHUNK = 1 << 20;

    private Payload() {}

    /** Writes {@code files} files of a MiB each, down to the disk. */
    static void write(Path directory, int files, long seed) throws IOException {
        var random = new Random(seed);
        for (int i = 0; i < files; i++) {
            Path folder = Files.createDirectories(directory.resolve("cargo-" + i % 8));
            writeChunk(folder.resolve("crate-" + i), random);
        }
    }

    static void rewrite(Path file, long seed) throws IOException {
        writeChunk(file, new Random(seed));
    }

    private static void writeChunk(Path file, Random random) throws IOException {
        byte[] bytes = new byte[CHUNK];
        random.nextBytes(bytes);
        try (var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(bytes));
            channel.force(true);
        }
    }

    /** A digest of every byte of every file below the directory, and of where it is. */
    static String digest(Path directory) throws IOException {
        var digests = new TreeMap<String, String>();
        try (var files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                digests.put(directory.relativize(file).toString(), ofFile(file));
            }
        }
        return HexFormat.of().formatHex(sha256().digest(digests.toString().getBytes(StandardCharsets.UTF_8)));
    }

    private static String ofFile(Path file) throws IOException {
        var digest = sha256();
        var buffer = ByteBuffer.allocate(CHUNK);
        try (var channel = FileChannel.open(file)) {
            while (channel.read(buffer.clear()) >= 0) {
                digest.update(buffer.flip());
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
