package dev.stowage.array;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.array.iscsi.Portal;
import dev.stowage.array.rest.ApiClient;
import dev.stowage.array.testing.ArrayProcess;
import dev.stowage.array.testing.ArrayUnderTest;
import dev.stowage.array.testing.SharingDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** An array that is killed at any moment while many work with it comes back sound, and nothing is left over in the end. */
class KillTest {

    private static final int ROUNDS = 8;
    private static final int WORKERS = 4;
    private static final int LONGEST_ROUND_MILLIS = 1_500;

    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    @Test
    void nothingIsLostAndNothingIsLeftOver() throws Exception {
        long seed = System.nanoTime();
        var random = new Random(seed);
        try (var directory = new SharingDirectory()) {
            var portal = new Portal("127.0.0.1", freePort());
            for (int round = 0; round < ROUNDS; round++) {
                var array = new ArrayProcess(directory.path(), portal);
                assertSound(array, directory.path(), "seed " + seed + ", round " + round);
                var workers = work(array.port(), random);
                Thread.sleep(random.nextInt(LONGEST_ROUND_MILLIS));
                array.kill();
                for (Thread worker : workers) {
                    worker.join();
                }
                assertThat(failures).as("seed " + seed).isEmpty();
            }
            try (var array = new ArrayProcess(directory.path(), portal)) {
                assertSound(array, directory.path(), "seed " + seed + ", in the end");
                deleteEverything(array);
                assertThat(files(directory.path())).isEmpty();
            }
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Several who make, attach, grow, copy and delete, each their own, until nobody answers. */
    private List<Thread> work(int port, Random random) {
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < WORKERS; i++) {
            var own = new Random(random.nextLong());
            var thread = Thread.ofPlatform().uncaughtExceptionHandler((worker, failure) -> failures.add(failure));
            threads.add(thread.start(() -> {
                try (var api = new ApiClient(port, ArrayUnderTest.TOKEN)) {
                    while (true) {
                        live(api, own);
                    }
                } catch (UncheckedIOException killed) {
                    // As it was meant to be.
                }
            }));
        }
        return threads;
    }

    private static void live(ApiClient api, Random random) {
        var name = "name-" + Long.toHexString(random.nextLong());
        var volume = api.post("/volumes.json", Map.of("name", name, "capacity", "16M", "block", "YES"))
                .done()
                .text("vol_name");
        var server = api.post("/servers.json", Map.of("display_name", name, "iqn", "iqn.2026-01.test:" + name))
                .done()
                .text("server_name");
        api.post("/servers/" + server + "/volumes.json", Map.of("volume_name", volume))
                .done();
        var group =
                api.get("/volumes/" + volume + ".json").done().object("volume").get("cg_name");
        var snapshot = api.post("/consistency_groups/" + group + "/snapshots.json", Map.of("display_name", name))
                .done()
                .text("snapshot_name");
        api.post("/volumes/" + volume + "/expand.json", Map.of("capacity", "16M"))
                .done();
        var clone = api.post(
                        "/consistency_groups/" + group + "/clone.json",
                        Map.of("name", name + "-clone", "snapshot", snapshot))
                .done()
                .text("vol_name");
        api.post("/volumes/" + volume + "/detach.json", Map.of("servers", server, "force", "YES"))
                .done();
        api.delete("/servers/" + server + ".json").done();
        api.delete("/snapshots/" + snapshot + ".json").done();
        if (random.nextBoolean()) {
            api.delete("/volumes/" + volume + ".json").done();
            api.delete("/volumes/" + clone + ".json").done();
        }
    }

    /** Files are those of what the API shows, and have the size that it tells. */
    private static void assertSound(ArrayProcess array, Path data, String when) throws IOException {
        try (var api = new ApiClient(array.port(), ArrayUnderTest.TOKEN)) {
            var volumes = api.get("/volumes.json").done().list("volumes");
            var shown = new TreeSet<String>();
            volumes.forEach(volume -> shown.add(String.valueOf(volume.get("name"))));
            api.get("/snapshots.json")
                    .done()
                    .list("snapshots")
                    .forEach(each -> shown.add(String.valueOf(each.get("name"))));
            assertThat(files(data)).as(when).isEqualTo(shown);
            for (var volume : volumes) {
                var size = data.resolve("volumes")
                        .resolve(String.valueOf(volume.get("name")))
                        .toFile()
                        .length();
                assertThat(volume.get("virtual_capacity")).as(when).isEqualTo(size / (double) (1L << 30));
            }
        }
    }

    private static void deleteEverything(ArrayProcess array) {
        try (var api = new ApiClient(array.port(), ArrayUnderTest.TOKEN)) {
            api.get("/servers.json")
                    .done()
                    .list("servers")
                    .forEach(each -> api.delete("/servers/" + each.get("name") + ".json?force=YES")
                            .done());
            api.get("/snapshots.json")
                    .done()
                    .list("snapshots")
                    .forEach(each -> api.delete("/snapshots/" + each.get("name") + ".json")
                            .done());
            api.get("/volumes.json")
                    .done()
                    .list("volumes")
                    .forEach(each ->
                            api.delete("/volumes/" + each.get("name") + ".json").done());
        }
    }

    private static Set<String> files(Path data) throws IOException {
        try (var list = Files.list(data.resolve("volumes"))) {
            return list.map(path -> String.valueOf(path.getFileName())).collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
