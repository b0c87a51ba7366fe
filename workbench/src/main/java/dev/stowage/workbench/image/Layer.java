package dev.stowage.workbench.image;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.time.Instant;
import java.util.List;

/**
 * A layer as it is in the archive.
 *
 * @param title what is in it, for people
 * @param blob the file
 * @param digest of the blob, compressed as it is
 * @param contentDigest of the tar archive in it
 * @param contentSize of the tar archive in it
 */
public record Layer(
        String title, Path blob, String mediaType, String digest, long size, String contentDigest, long contentSize) {

    private static final String TAR = "application/vnd.oci.image.layer.v1.tar";

    /** How a layer is packed. */
    sealed interface Packing {
        record Plain() implements Packing {}

        /** Zstandard takes a quarter less room than gzip and is unpacked several times faster. */
        record Zstandard(int level) implements Packing {}
    }

    static Layer write(String title, List<ImageContent.Entry> entries, Instant time, Path blob, Packing packing)
            throws IOException {
        var packed = Digests.sha256();
        var content = Digests.sha256();
        var file = new DigestOutputStream(new BufferedOutputStream(Files.newOutputStream(blob)), packed);
        var counting = new Counting(new DigestOutputStream(pack(file, packing), content));
        try (var tar = new TarWriter(counting, time)) {
            for (var entry : entries) {
                tar.entry(entry);
            }
        }
        return new Layer(
                title,
                blob,
                switch (packing) {
                    case Packing.Plain ignored -> TAR;
                    case Packing.Zstandard ignored -> TAR + "+zstd";
                },
                Digests.hex(packed),
                Files.size(blob),
                Digests.hex(content),
                counting.count);
    }

    private static OutputStream pack(OutputStream out, Packing packing) throws IOException {
        return switch (packing) {
            case Packing.Plain() -> out;
            case Packing.Zstandard(var level) ->
                new BufferedOutputStream(new ZstdOutputStreamNoFinalizer(out, level).setChecksum(true), 1 << 16);
        };
    }

    private static final class Counting extends OutputStream {
        private final OutputStream out;
        private long count;

        Counting(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int value) throws IOException {
            out.write(value);
            count++;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
            count += length;
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }
}
