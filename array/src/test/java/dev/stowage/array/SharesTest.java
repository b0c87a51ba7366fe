package dev.stowage.array;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.array.testing.ArrayUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Volumes with block=NO, from the API to an NFS client that is not ours. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharesTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String ELSEWHERE = "192.0.2.77";

    private ArrayUnderTest array;

    @TempDir
    private Path scratch;

    @BeforeAll
    void start() throws IOException {
        array = new ArrayUnderTest();
    }

    @AfterAll
    void stop() throws IOException {
        array.close();
    }

    @Test
    void whatAClientWritesIsThereWhenTheVolumeIsAttachedAgain() throws IOException {
        var volume = array.share("kept", "400M");
        var server = array.serverAt("kept", "127.0.0.1");
        array.attach(server, volume);
        var client = array.fileClient(volume);

        client.write("greeting", "hello").orThrow();
        detach(volume, server, "NO");
        assertThat(client.list().exitCode()).isNotZero();
        assertThat(array.shareMount(volume)).doesNotExist();
        array.attach(server, volume);

        assertThat(client.read("greeting").orThrow().stdout()).isEqualTo("hello");
    }

    @Test
    void theApiTellsWhatClientsMount() {
        var volume = array.share("told", "400M");
        var server = array.serverAt("told", "127.0.0.0/8");
        array.attach(server, volume);

        var view = array.api().get("/volumes/" + volume + ".json").object("volume");

        assertThat(view.get("nfs_export_path")).isEqualTo("127.0.0.1:/export/told");
        assertThat(view.get("data_type")).isEqualTo("File-System");
        assertThat(view.get("access_type")).isEqualTo("NFS");
        assertThat(array.api().get("/volumes.json?showonlyblock=YES").list("volumes"))
                .noneMatch(each -> volume.equals(each.get("name")));
        assertThat(array.api().get("/volumes.json?showonlyfile=YES").list("volumes"))
                .anyMatch(each -> volume.equals(each.get("name")));
        assertThat(array.api()
                        .put("/volumes/" + volume + "/export_name.json", Map.of("exportname", "another"))
                        .message())
                .contains("told");
    }

    @Test
    void whoIsNotAttachedIsRefused() throws IOException {
        var volume = array.share("foreign", "400M");
        array.attach(array.serverAt("foreign", ELSEWHERE), volume);
        var client = array.fileClient(volume);

        assertThat(client.list().exitCode()).isNotZero();
        assertThat(client.write("greeting", "hello").exitCode()).isNotZero();
    }

    @Test
    void aServerWithoutAnAddressCannotHaveShares() {
        var volume = array.share("no-address", "400M");
        var server = array.server("no-address", "iqn.2026-01.test:no-address");

        assertThat(array.api()
                        .post("/servers/" + server + "/volumes.json", Map.of("volume_name[]", volume))
                        .message())
                .contains("no address");
    }

    @Test
    void aReadOnlyShareCannotBeWrittenUntilItIsPermitted() throws IOException {
        var volume = array.share("read-only", "400M");
        var server = array.serverAt("read-only", "127.0.0.1");
        array.api()
                .post("/servers/" + server + "/volumes.json", Map.of("volume_name", volume, "readonly", "YES"))
                .done();
        var client = array.fileClient(volume);

        assertThat(client.write("greeting", "hello").exitCode()).isNotZero();
        array.api()
                .post(
                        "/volumes/" + volume + "/attach_permissions.json",
                        Map.of("server_name", server, "read_only", "NO"))
                .done();
        client.write("greeting", "hello").orThrow();
    }

    @Test
    void aShareGrowsWhileItIsUsed() throws Exception {
        var volume = array.share("grown", "400M");
        array.attach(array.serverAt("grown", "127.0.0.1"), volume);
        var output = scratch.resolve("grown");
        var writer = array.fileClient(volume).keepWriting("file", scratch, output);
        try {
            awaitWrites(writer, output, 1);
            long before = Files.getFileStore(array.shareMount(volume)).getTotalSpace();

            array.api()
                    .post("/volumes/" + volume + "/expand.json", Map.of("capacity", "200M"))
                    .done();

            assertThat(Files.getFileStore(array.shareMount(volume)).getTotalSpace())
                    .isEqualTo(before + (200L << 20));
            awaitWrites(writer, output, writes(output) + 10);
        } finally {
            end(writer);
        }
    }

    @Test
    void aSnapshotKeepsWhatWasThereAndAClonePassesItOn() throws IOException {
        var volume = array.share("source", "400M");
        var server = array.serverAt("source", "127.0.0.1");
        array.attach(server, volume);
        var client = array.fileClient(volume);
        client.write("first", "1").orThrow();
        var group =
                array.api().get("/volumes/" + volume + ".json").object("volume").get("cg_name");

        var snapshot = array.api()
                .post("/consistency_groups/" + group + "/snapshots.json", Map.of("display_name", "before"))
                .done()
                .text("snapshot_name");
        client.write("second", "2").orThrow();
        var old = array.api()
                .post("/consistency_groups/" + group + "/clone.json", Map.of("name", "old", "snapshot", snapshot))
                .done()
                .text("vol_name");
        var recent = array.api()
                .post("/consistency_groups/" + group + "/clone.json", Map.of("name", "recent"))
                .done()
                .text("vol_name");
        array.attach(server, old);
        array.attach(server, recent);
        array.fileClient(old).write("third", "3").orThrow();

        assertThat(array.fileClient(old).list().orThrow().stdout())
                .contains("first", "third")
                .doesNotContain("second");
        assertThat(array.fileClient(recent).list().orThrow().stdout())
                .contains("first", "second")
                .doesNotContain("third");
        assertThat(client.list().orThrow().stdout()).contains("first", "second").doesNotContain("third");
    }

    @Test
    void fromTheConfirmationOfAFenceNotAByteIsWritten() throws Exception {
        var volume = array.share("fenced", "400M");
        var server = array.serverAt("fenced", "127.0.0.1");
        array.attach(server, volume);

        assertFenced(volume, server);

        assertThat(array.shareMount(volume)).doesNotExist();
    }

    @Test
    void aFenceOfOneOfTwoLeavesTheOtherItsAccess() throws Exception {
        var volume = array.share("both", "400M");
        var server = array.serverAt("both", "127.0.0.1");
        var other = array.serverAt("other", ELSEWHERE);
        array.attach(server, volume);
        array.attach(other, volume);

        assertFenced(volume, server);

        assertThat(array.shareMount(volume)).isDirectory();
        assertThat(array.api().get("/volumes/" + volume + "/servers.json").list("servers"))
                .singleElement()
                .satisfies(left -> assertThat(left.get("name")).isEqualTo(other));
    }

    private void assertFenced(String volume, String server) throws Exception {
        var output = scratch.resolve(volume);
        var writer = array.fileClient(volume).keepWriting("file", scratch, output);
        try {
            awaitWrites(writer, output, 20);

            detach(volume, server, "YES");

            // While others use it, what is in the volume's file lags behind what is in the filesystem.
            var mounted = array.shareMount(volume).resolve("file");
            var written = Files.exists(mounted) ? mounted : array.file(volume);
            var confirmed = digest(written);
            int writes = writes(output);
            Thread.sleep(Duration.ofSeconds(2));
            assertThat(digest(written)).isEqualTo(confirmed);
            assertThat(writes(output))
                    .as("a write may have been confirmed on the way")
                    .isLessThanOrEqualTo(writes + 1);
        } finally {
            end(writer);
        }
    }

    @Test
    void anotherAddressOfAServerShutsOutTheOldOne() throws IOException {
        var volume = array.share("moved", "400M");
        var server = array.serverAt("moved", "127.0.0.1");
        array.attach(server, volume);
        var client = array.fileClient(volume);
        client.list().orThrow();

        array.api()
                .post("/servers/" + server + "/config.json", Map.of("iscsi", ELSEWHERE))
                .done();

        assertThat(client.list().exitCode()).isNotZero();
    }

    @Test
    void clientsGoOnWhileTheArrayIsDownAndAfterItsStopNothingIsServed() throws Exception {
        try (var own = new ArrayUnderTest()) {
            var volume = own.share("kept", "400M");
            own.attach(own.serverAt("kept", "127.0.0.1"), volume);
            var client = own.fileClient(volume);

            own.crash();
            client.write("down", "while down").orThrow();
            own.start();
            assertThat(client.read("down").orThrow().stdout()).isEqualTo("while down");

            own.stop();
            assertThat(client.list().exitCode()).isNotZero();
            assertThat(own.shareMount(volume)).doesNotExist();
            own.start();
            assertThat(client.read("down").orThrow().stdout()).isEqualTo("while down");
        }
    }

    private void detach(String volume, String server, String force) {
        array.api()
                .post("/volumes/" + volume + "/detach.json", Map.of("servers", server, "force", force))
                .done();
    }

    private static void awaitWrites(Process writer, Path output, int wanted) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (writes(output) < wanted) {
            assertThat(writer.isAlive()).as(Files.readString(output)).isTrue();
            assertThat(System.nanoTime()).as("waited too long for writes").isLessThan(deadline);
            Thread.sleep(20);
        }
    }

    private static int writes(Path output) throws IOException {
        return Files.exists(output) ? Files.readAllLines(output).size() : 0;
    }

    private static void end(Process writer) throws IOException, InterruptedException {
        writer.getOutputStream().close();
        writer.waitFor();
    }

    private static String digest(Path file) throws IOException, NoSuchAlgorithmException {
        var digest = MessageDigest.getInstance("SHA-256");
        try (var in = Files.newInputStream(file)) {
            var buffer = new byte[1 << 20];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
