package dev.stowage.array;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.array.testing.ArrayUnderTest;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A volume from the API to an initiator that is not ours. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServeTest {

    private static final String ALICE = "iqn.2026-01.test:alice";
    private static final String BOB = "iqn.2026-01.test:bob";

    private ArrayUnderTest array;

    @BeforeAll
    void start() throws IOException {
        array = new ArrayUnderTest();
    }

    @AfterAll
    void stop() throws IOException {
        array.close();
    }

    @Test
    void whatAnInitiatorWritesIsInTheVolumeAndCanBeReadAgain() {
        var volume = array.volume("written", "64M");
        var server = array.server("alice-written", ALICE + ":written");
        array.attach(server, volume);
        var initiator = array.initiator(volume, server, ALICE + ":written");

        var written = initiator.io("write -P 7 1M 1M", "flush");
        var read = initiator.io("read -P 7 1M 1M", "read -P 0 2M 1M");

        assertThat(written.orThrow().stdout()).contains("wrote 1048576/1048576");
        assertThat(read.orThrow().stdout()).doesNotContain("verification failed");
        assertThat(array.file(volume)).isRegularFile();
    }

    @Test
    void aWrongSecretAndNoSecretAreRefused() {
        var volume = array.volume("secret", "16M");
        var server = array.server("alice-secret", ALICE + ":secret");
        array.attach(server, volume);
        var initiator = array.initiator(volume, server, ALICE + ":secret");

        assertThat(initiator.io("read 0 512").exitCode()).isZero();
        var wrong = initiator.with(initiator.user(), "another-secret").io("read 0 512");
        assertThat(wrong.exitCode()).isNotZero();
        assertThat(wrong.stderr()).contains("Authentication failure");
    }

    @Test
    void theArrayProvesItselfToAnInitiatorThatAsks() {
        var volume = array.volume("mutual", "16M");
        var iqn = ALICE + ":mutual";
        var server = array.api()
                .post(
                        "/servers.json",
                        Map.of(
                                "display_name", "mutual",
                                "iqn", iqn,
                                "hostchapuser", "the-array",
                                "hostchapsecret", "secret-of-array"))
                .done()
                .text("server_name");
        array.attach(server, volume);
        var initiator = array.initiator(volume, server, iqn);

        assertThat(initiator.inquire("the-array", "secret-of-array").exitCode()).isZero();
        assertThat(initiator.inquire("the-array", "another-secret").exitCode()).isNotZero();
    }

    @Test
    void everyServerIsToldHowTheArrayProvesItself() {
        var volume = array.volume("told", "16M");
        var iqn = ALICE + ":told";
        var server = array.server("told", iqn);
        array.attach(server, volume);
        var told = array.api().get("/servers/" + server + ".json").object("server");
        var user = String.valueOf(told.get("host_chap_user"));
        var secret = String.valueOf(told.get("host_chap_secret"));
        var initiator = array.initiator(volume, server, iqn);

        assertThat(initiator.inquire(user, secret).exitCode()).isZero();
        assertThat(initiator.inquire(user, "another-secret").exitCode()).isNotZero();
        assertThat(initiator.io("read 0 512").exitCode()).isZero();
    }

    @Test
    void anotherInitiatorIsRefusedEvenWithTheSecret() {
        var volume = array.volume("others", "16M");
        var server = array.server("alice-others", ALICE + ":others");
        array.attach(server, volume);
        var initiator = array.initiator(volume, server, ALICE + ":others");

        var other = initiator.as(BOB).io("read 0 512");

        assertThat(other.exitCode()).isNotZero();
        assertThat(other.stderr()).contains("Failed to log in to target");
    }

    @Test
    void aVolumeThatWasDetachedIsOutOfReach() {
        var volume = array.volume("detached", "16M");
        var server = array.server("alice-detached", ALICE + ":detached");
        array.attach(server, volume);
        var initiator = array.initiator(volume, server, ALICE + ":detached");
        initiator.io("write -P 1 0 4k").orThrow();

        array.api()
                .post("/volumes/" + volume + "/detach.json", Map.of("servers", server))
                .done();

        assertThat(initiator.io("read 0 512").exitCode()).isNotZero();
        assertThat(array.api()
                        .get("/volumes/" + volume + ".json")
                        .object("volume")
                        .get("status"))
                .isEqualTo("Available");
    }

    @Test
    void aReadOnlyAttachmentCannotBeWritten() {
        var volume = array.volume("read-only", "16M");
        var server = array.server("alice-read-only", ALICE + ":read-only");
        array.api()
                .post("/servers/" + server + "/volumes.json", Map.of("volume_name", volume, "readonly", "YES"))
                .done();
        var initiator = array.initiator(volume, server, ALICE + ":read-only");

        var written = initiator.io("write -P 1 0 4k");

        assertThat(written.stdout() + written.stderr()).doesNotContain("wrote 4096/4096");
        array.api()
                .post(
                        "/volumes/" + volume + "/attach_permissions.json",
                        Map.of("server_name", server, "read_only", "NO"))
                .done();
        assertThat(initiator.io("write -P 1 0 4k").orThrow().stdout()).contains("wrote 4096/4096");
    }

    @Test
    void aVolumeGrowsByWhatIsAskedForAndTheInitiatorSeesIt() {
        var volume = array.volume("grown", "16M");
        var server = array.server("alice-grown", ALICE + ":grown");
        array.attach(server, volume);
        var initiator = array.initiator(volume, server, ALICE + ":grown");
        initiator.io("write -P 5 0 1M").orThrow();

        array.api()
                .post("/volumes/" + volume + "/expand.json", Map.of("capacity", "48M"))
                .done();

        assertThat(initiator.io("length").orThrow().stdout()).contains("64 MiB");
        assertThat(initiator.io("read -P 5 0 1M", "write -P 6 63M 1M").orThrow().stdout())
                .contains("wrote 1048576/1048576")
                .doesNotContain("verification failed");
    }

    @Test
    void aSnapshotKeepsWhatWasThereAndAClonePassesItOn() {
        var volume = array.volume("source", "16M");
        var server = array.server("alice-source", ALICE + ":source");
        array.attach(server, volume);
        var initiator = array.initiator(volume, server, ALICE + ":source");
        initiator.io("write -P 1 0 1M", "flush").orThrow();
        var group =
                array.api().get("/volumes/" + volume + ".json").object("volume").get("cg_name");

        var snapshot = array.api()
                .post("/consistency_groups/" + group + "/snapshots.json", Map.of("display_name", "before"))
                .done()
                .text("snapshot_name");
        initiator.io("write -P 2 0 1M", "flush").orThrow();
        array.api()
                .post("/consistency_groups/" + group + "/clone.json", Map.of("name", "old", "snapshot", snapshot))
                .done();
        array.api()
                .post("/consistency_groups/" + group + "/clone.json", Map.of("name", "new"))
                .done();

        assertThat(readBack("old", 1)).doesNotContain("verification failed");
        assertThat(readBack("new", 2)).doesNotContain("verification failed");
        assertThat(array.api().delete("/volumes/" + volume + ".json?force=YES").message())
                .contains("snapshots");
        array.api().delete("/snapshots/" + snapshot + ".json").done();
        array.api().delete("/volumes/" + volume + ".json?force=YES").done();
        assertThat(readBack("old", 1)).doesNotContain("verification failed");
    }

    private String readBack(String name, int pattern) {
        var volume = String.valueOf(array.api()
                .get("/volumes.json?display_name=" + name)
                .list("volumes")
                .getFirst()
                .get("name"));
        var iqn = ALICE + ":" + name + "-" + System.nanoTime();
        var server = array.server(iqn, iqn);
        array.attach(server, volume);
        return array.initiator(volume, server, iqn)
                .io("read -P " + pattern + " 0 1M")
                .orThrow()
                .stdout();
    }
}
