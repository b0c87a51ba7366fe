package dev.stowage.conformance.vsc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.vsc.Vpsa;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of tokens when keys come and go, with the real controller and a real array. */
class SecretsAtRestTest {

    private static final String NEXT = "abcdefghijklmnopqrstuvwxyz012345";
    private static final int NAME_OF_THE_KEY = "AES:".length() + 12;

    private VscCluster cluster;
    private RunningArray array;

    @BeforeEach
    void join() {
        cluster = VscCluster.start();
        cluster.storageClass("gold", true);
        array = cluster.array("array-1");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private Path key(String name) {
        return cluster.workspace().root().resolve("keys").resolve(name);
    }

    private static String keyOf(String encrypted) {
        return encrypted.substring(0, NAME_OF_THE_KEY);
    }

    private static String token(Vpsa array) {
        return Objects.requireNonNull(array.getSpec().token());
    }

    private static String chapSecret(Vpsa array) {
        return Objects.requireNonNull(array.getStatus().chapSecret());
    }

    @Test
    void aKeyIsReplacedWhileEverythingGoesOn() throws IOException {
        cluster.join(array, "gold");
        var before = cluster.awaitState("array-1", Vpsa.State.READY);
        assertThat(keyOf(token(before))).isEqualTo(keyOf(chapSecret(before)));

        Files.move(key("GLOBAL_ENCRYPTION_KEY"), key("PREVIOUS"));
        Files.writeString(key("GLOBAL_ENCRYPTION_KEY"), NEXT);

        Eventually.assertThat(() -> {
            var now = cluster.vpsa("array-1");
            assertThat(keyOf(token(now))).isNotEqualTo(keyOf(token(before))).isEqualTo(keyOf(chapSecret(now)));
        });
        Files.delete(key("PREVIOUS"));
        cluster.controller().kill();
        cluster.startController();
        var seen = Objects.requireNonNull(cluster.vpsa("array-1").getStatus().lastSync());
        Eventually.assertThat(() -> {
            var status = cluster.vpsa("array-1").getStatus();
            assertThat(status.state()).isEqualTo(Vpsa.State.READY);
            assertThat(status.lastSync()).isGreaterThan(seen);
        });
    }

    @Test
    void aLostKeyIsToldAndATokenInPlainHelps() throws IOException {
        cluster.join(array, "gold");
        cluster.awaitState("array-1", Vpsa.State.READY);

        Files.writeString(key("GLOBAL_ENCRYPTION_KEY"), NEXT);

        assertThat(cluster.awaitState("array-1", Vpsa.State.FAILED).getStatus().message())
                .contains("VPSA/array-1/token")
                .contains("put that key back, or write the secret again in plain");
        cluster.edit(Vpsa.class, "array-1", vpsa -> vpsa.setSpec(vpsa.getSpec().withToken(RunningArray.TOKEN)));
        var again = cluster.awaitState("array-1", Vpsa.State.READY);
        assertThat(keyOf(token(again))).isEqualTo(keyOf(chapSecret(again)));
    }

    @Test
    void withoutAnyKeyATokenStaysAsItIsAndTheArraySaysSo() throws IOException {
        Files.delete(key("GLOBAL_ENCRYPTION_KEY"));

        cluster.join(array, "gold");

        var failed = cluster.awaitState("array-1", Vpsa.State.FAILED);
        assertThat(failed.getStatus().message()).contains("there is no file GLOBAL_ENCRYPTION_KEY");
        assertThat(failed.getSpec().token()).isEqualTo(RunningArray.TOKEN);
        assertThat(cluster.log()).doesNotContain(RunningArray.TOKEN);
    }

    @Test
    void theTokenIsReplacedAndNothingElseThatItsAuthorWrote() {
        cluster.client()
                .load(new ByteArrayInputStream(
                        """
                        apiVersion: storage.zadara.com/v1
                        kind: VPSA
                        metadata: {name: array-1}
                        spec: {displayName: One, VSCStorageClassName: gold, hostname: "%s", token: "%s", colour: red}
                        """.formatted(array.hostname(), RunningArray.TOKEN).getBytes(StandardCharsets.UTF_8)))
                .create();
        cluster.awaitState("array-1", Vpsa.State.READY);

        Map<String, Object> spec = cluster.client()
                .genericKubernetesResources("storage.zadara.com/v1", "VPSA")
                .withName("array-1")
                .get()
                .get("spec");
        assertThat(spec).containsEntry("colour", "red").containsEntry("hostname", array.hostname());
        assertThat(String.valueOf(spec.get("token"))).startsWith("AES:");
    }
}
