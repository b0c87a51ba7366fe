package dev.stowage.cli.bench;

import csi.v1.VolumeCapability;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.core.volume.Sizes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Volumes with data, of which snapshots and clones are made. The first is written, the others are clones of it. */
final class Sources {

    static final long SIZE = Sizes.GIB;
    static final VolumeCapability CAPABILITY = CsiClient.mounted("ext4");

    private static final int SEED = 42;

    private final long data;
    private final Map<DriverUnderTest, List<String>> volumes = new HashMap<>();

    /** @param data bytes that are written to each */
    Sources(long data) {
        this.data = data;
    }

    /** The source for the caller of this number. */
    String of(DriverUnderTest driver, int number) throws IOException {
        List<String> made;
        synchronized (volumes) {
            made = volumes.computeIfAbsent(driver, absent -> new ArrayList<>());
        }
        synchronized (made) {
            while (made.size() <= number) {
                String name = "source-" + made.size();
                made.add(
                        made.isEmpty()
                                ? written(driver, name)
                                : new CsiCalls(driver).clone(name, SIZE, CAPABILITY, made.getFirst()));
            }
            return made.get(number);
        }
    }

    void deleteAll(DriverUnderTest driver) {
        synchronized (volumes) {
            var made = volumes.remove(driver);
            if (made != null) {
                made.forEach(new CsiCalls(driver)::delete);
            }
        }
    }

    private String written(DriverUnderTest driver, String name) throws IOException {
        var calls = new CsiCalls(driver);
        var volume = calls.attached(name, SIZE, CAPABILITY);
        calls.stage(volume);
        calls.publish(volume);
        fill(FileChannel.open(
                volume.target().resolve("data"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
        calls.unpublish(volume);
        calls.unstage(volume);
        calls.detach(volume);
        return volume.id();
    }

    /** Half of it is noise and half is zeros, by turns in each block: data that compresses as data does. */
    private void fill(FileChannel file) throws IOException {
        var random = new Random(SEED);
        byte[] noise = new byte[2048];
        var buffer = ByteBuffer.allocateDirect((int) Sizes.MIB);
        try (file) {
            for (long written = 0; written < data; written += Sizes.MIB) {
                buffer.clear();
                while (buffer.hasRemaining()) {
                    random.nextBytes(noise);
                    buffer.put(noise).put(new byte[noise.length]);
                }
                buffer.flip();
                while (buffer.hasRemaining()) {
                    file.write(buffer);
                }
            }
            file.force(true);
        }
    }
}
