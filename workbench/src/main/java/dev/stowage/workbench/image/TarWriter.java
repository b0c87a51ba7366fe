package dev.stowage.workbench.image;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;

/** Writes a tar archive in the ustar format, the same bytes for the same content: one time for everything, no owners. */
final class TarWriter implements AutoCloseable {
    private static final int BLOCK = 512;
    private static final int NAME_LIMIT = 100;

    private final OutputStream out;
    private final long seconds;

    TarWriter(OutputStream out) {
        this(out, Instant.EPOCH);
    }

    TarWriter(OutputStream out, Instant time) {
        this.out = out;
        this.seconds = time.getEpochSecond();
    }

    void entry(ImageContent.Entry entry) throws IOException {
        switch (entry) {
            case ImageContent.DirectoryEntry(var name, var mode) -> directory(name, mode);
            case ImageContent.LinkEntry(var name, var target) -> link(name, target);
            case ImageContent.TextEntry(var name, var text) -> file(name, 0644, text.getBytes(StandardCharsets.UTF_8));
            case ImageContent.ProgramEntry(var name, var program) -> file(name, 0755, program);
            case ImageContent.FileEntry(var name, var content, var mode) -> file(name, mode, content);
        }
    }

    void directory(String name, int mode) throws IOException {
        header(name + "/", mode, 0, '5', "");
    }

    void link(String name, String target) throws IOException {
        header(name, 0777, 0, '2', target);
    }

    void file(String name, int mode, byte[] content) throws IOException {
        header(name, mode, content.length, '0', "");
        out.write(content);
        pad(content.length);
    }

    void file(String name, int mode, Path content) throws IOException {
        long size = Files.size(content);
        header(name, mode, size, '0', "");
        Files.copy(content, out);
        pad(size);
    }

    private void header(String name, int mode, long size, char type, String link) throws IOException {
        if (name.length() > NAME_LIMIT || link.length() > NAME_LIMIT) {
            throw new IOException("the name " + name + " is too long for the archive");
        }
        var header = new byte[BLOCK];
        put(header, 0, name);
        put(header, 100, octal(mode, 7));
        put(header, 108, octal(0, 7));
        put(header, 116, octal(0, 7));
        put(header, 124, octal(size, 11));
        put(header, 136, octal(seconds, 11));
        put(header, 148, "        ");
        header[156] = (byte) type;
        put(header, 157, link);
        put(header, 257, "ustar\00000");
        int sum = 0;
        for (byte value : header) {
            sum += value & 0xff;
        }
        put(header, 148, octal(sum, 6) + "\0 ");
        out.write(header);
    }

    private static void put(byte[] header, int at, String text) {
        var bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }

    private static String octal(long value, int digits) {
        return String.format(Locale.ROOT, "%0" + digits + "o", value);
    }

    private void pad(long size) throws IOException {
        out.write(new byte[(int) ((BLOCK - size % BLOCK) % BLOCK)]);
    }

    @Override
    public void close() throws IOException {
        out.write(new byte[2 * BLOCK]);
        out.close();
    }
}
