package dev.stowage.lab.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.array.ArraySettings;
import dev.stowage.array.StorageArray;
import dev.stowage.array.iscsi.Portal;
import dev.stowage.array.iscsi.TargetKind;
import dev.stowage.array.rest.RestServer;
import dev.stowage.arrayapi.ArrayAddress;
import dev.stowage.arrayapi.ArrayClient;
import dev.stowage.arrayapi.ArrayUnit;
import dev.stowage.arrayapi.NewVolume;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.volume.Sizes;
import dev.stowage.iscsi.Attached;
import dev.stowage.iscsi.Chap;
import dev.stowage.iscsi.Initiator.How;
import dev.stowage.iscsi.Iqn;
import dev.stowage.iscsi.IscsiUnit;
import dev.stowage.iscsi.UnitAddress;
import dev.stowage.iscsi.kernel.OpenIscsi;
import dev.stowage.linux.block.BlockDevices;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Our array in front of the kernel's target, used by the kernel's initiator. */
public final class LioScenarios {

    private static final Path CONFIG = Path.of("/sys/kernel/config/target");
    private static final Portal PORTAL = new Portal("127.0.0.1", 3260);
    private static final byte OURS = (byte) 0xee;
    private static final int REGION = 1 << 20;

    private final HttpClient http = HttpClient.newHttpClient();
    private final OpenIscsi initiator = new OpenIscsi(San.NODE, Duration.ofSeconds(5));
    private final Path data = Path.of("/tmp/array");
    private StorageArray array;
    private RestServer rest;

    private LioScenarios() throws IOException {
        San.sh("load target_core_mod iscsi_tcp sd_mod sg; node_up");
        Files.createDirectory(data);
        array = StorageArray.open(settings("array", data));
        rest = serve();
    }

    public static void main(String[] arguments) {
        try {
            var scenarios = new LioScenarios();
            switch (arguments[0]) {
                case "serve" -> scenarios.serve("volumes");
                case "fence" -> scenarios.fence();
                default -> throw new IllegalArgumentException(arguments[0]);
            }
            System.exit(0);
        } catch (Throwable failure) {
            // The threads of the array would keep the process.
            failure.printStackTrace();
            System.exit(1);
        }
    }

    private static ArraySettings settings(String name, Path directory) {
        return new ArraySettings(
                        name,
                        directory,
                        "token",
                        List.of(PORTAL),
                        OptionalLong.empty(),
                        false,
                        "24.03",
                        Optional.empty())
                .on(new ArraySettings.Backing(Optional.empty(), TargetKind.auto));
    }

    private RestServer serve() {
        return RestServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Optional.empty(), array);
    }

    private ArrayClient client() {
        return ArrayClient.of(
                http,
                ArrayAddress.parse("http://127.0.0.1:" + rest.port(), false),
                () -> "token",
                Duration.ofSeconds(30));
    }

    private String volume(String name) {
        var pool = client().pools().getFirst().id();
        return client().createVolume(new NewVolume(name, 1, pool, true, Map.of()));
    }

    private Path file(String volume) {
        return data.resolve("volumes").resolve(volume);
    }

    private IscsiUnit unit(ArrayUnit told, String secret) {
        return new IscsiUnit(
                new UnitAddress(new Iqn(told.target()), told.lun()),
                List.of(new dev.stowage.iscsi.Portal("127.0.0.1", 3260)),
                told.serial(),
                Optional.of(Chap.oneWay(client().controller().orElseThrow().chapUser(), secret)));
    }

    private String secret() {
        return client().controller().orElseThrow().chapSecret();
    }

    private Attached attach(IscsiUnit unit) {
        try (var held = initiator.attach(unit, new How(false, false))) {
            return held.attached();
        }
    }

    private static void assertKernelServesNothing() throws IOException {
        try (var targets = Files.list(CONFIG.resolve("iscsi"))) {
            assertThat(targets.filter(each -> each.getFileName().toString().startsWith("iqn")))
                    .isEmpty();
        }
        try (var stores = Files.walk(CONFIG.resolve("core"), 2)) {
            assertThat(stores.filter(each -> each.getFileName().toString().startsWith("iqn")))
                    .isEmpty();
        }
    }

    private void serve(String name) throws IOException {
        assertThat(Files.exists(CONFIG.resolve("iscsi")))
                .as("the kernel's target is used")
                .isTrue();
        String volume = volume(name);
        String other = volume("other");
        String server = client().createServer("node", San.NODE.value(), "");
        client().attach(server, volume, false, Optional.empty());
        client().attach(server, other, true, Optional.empty());
        var told = client().units(volume).getFirst();

        assertThatThrownBy(() -> attach(unit(told, "not-the-secret"))).isInstanceOf(StowageException.class);
        var unit = attach(unit(told, secret()));
        assertThat(Optional.of(unit.serial())).isEqualTo(told.serial());
        Blocks.write(unit.device(), 0, 7);
        assertThat(start(file(volume))).isEqualTo((byte) 7);
        var readOnly = attach(unit(client().units(other).getFirst(), secret()));
        assertThatThrownBy(() -> Blocks.write(readOnly.device(), 0, 7)).isInstanceOf(IOException.class);
        assertThat(client().servers().getFirst().connected()).hasValue(true);

        client().expandBy(volume, 1);
        assertThat(initiator.grow(unit.address())).isEqualTo(2 * Sizes.GIB);
        assertThat(BlockDevices.size(unit.device())).isEqualTo(2 * Sizes.GIB);
        Blocks.write(unit.device(), 300_000, 9);

        // Another process of the array takes over what the kernel serves, and its users notice nothing.
        rest.close();
        array.abandon();
        Blocks.write(unit.device(), 1, 8);
        array = StorageArray.open(settings("array", data));
        rest = serve();
        Blocks.write(unit.device(), 2, 8);
        var impostor = Files.createDirectory(Path.of("/tmp/impostor"));
        assertThatThrownBy(() -> StorageArray.open(settings("array", impostor)))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining("another --name");

        detach(unit);
        detach(readOnly);
        client().detach(volume, server, false);
        client().detach(other, server, false);
        client().deleteServer(server);
        assertKernelServesNothing();
    }

    private void detach(Attached unit) {
        initiator.detach(unit.address(), Optional.of(unit.serial()), Optional.of(unit.device()));
    }

    private static byte start(Path file) throws IOException {
        try (var stream = Files.newInputStream(file)) {
            return (byte) stream.read();
        }
    }

    /** From the confirmation on, not a byte of a server that was fenced reaches the volume; its other volume comes back. */
    private void fence() throws IOException, InterruptedException {
        String volume = volume("fenced");
        String other = volume("kept");
        String server = client().createServer("node", San.NODE.value(), "");
        client().attach(server, volume, false, Optional.empty());
        client().attach(server, other, false, Optional.empty());
        var unit = attach(unit(client().units(volume).getFirst(), secret()));
        var kept = attach(unit(client().units(other).getFirst(), secret()));
        var writer = Thread.ofPlatform().daemon().start(() -> writeForever(unit.device()));
        while (start(file(volume)) == 0) {
            Thread.sleep(10);
        }
        assertThatThrownBy(() -> client().detach(volume, server, false)).hasMessageContaining("use");

        client().detach(volume, server, true);
        fill(file(volume));

        Thread.sleep(3000);
        assertThat(writer.isAlive()).isTrue();
        assertThat(allOurs(file(volume))).isTrue();
        Blocks.write(kept.device(), 0, 5);
        assertThat(start(file(other))).isEqualTo((byte) 5);
        array.close();
        assertKernelServesNothing();
    }

    private static void writeForever(Path device) {
        while (true) {
            for (int block = 0; block < REGION / 4096; block++) {
                try {
                    Blocks.write(device, block, 1);
                } catch (IOException refused) {
                    // It keeps trying.
                }
            }
        }
    }

    private static void fill(Path file) throws IOException {
        var region = ByteBuffer.allocate(REGION);
        while (region.hasRemaining()) {
            region.put(OURS);
        }
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(region.flip(), 0);
            channel.force(true);
        }
    }

    private static boolean allOurs(Path file) throws IOException {
        try (var stream = Files.newInputStream(file)) {
            for (byte each : stream.readNBytes(REGION)) {
                if (each != OURS) {
                    return false;
                }
            }
        }
        return true;
    }
}
