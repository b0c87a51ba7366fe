package dev.stowage.backend.vsc.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeKeyTest {

    private static final Secret CHAP = new Secret("chap-secret-0123");

    @TempDir
    Path state;

    @Test
    void onlyTheNodeOpensWhatWasSealedToIt() {
        var key = NodeKey.of(state, "worker-1");
        String sealed = seal(key, "worker-1", "pvc-1");

        assertThat(key.open("pvc-1", sealed)).isEqualTo(CHAP);
        assertThat(sealed).matches("[A-Za-z0-9+/=]+");
        assertThat(seal(key, "worker-1", "pvc-1")).as("never the same").isNotEqualTo(sealed);
        refused(NodeKey.of(state.resolve("other"), "worker-1"), "pvc-1", sealed);
    }

    @Test
    void whatIsSealedForOneVolumeOrNodeIsOfNoUseForAnother() {
        var key = NodeKey.of(state, "worker-1");

        refused(key, "pvc-2", seal(key, "worker-1", "pvc-1"));
        refused(key, "pvc-1", seal(key, "worker-2", "pvc-1"));
        refused(key, "1pvc-1", seal(key, "worker-", "1pvc-1"));
    }

    @Test
    void noBitCanBeChanged() {
        var key = NodeKey.of(state, "worker-1");
        byte[] content = Base64.getDecoder().decode(seal(key, "worker-1", "pvc-1"));
        for (int bit = 0; bit < content.length * Byte.SIZE; bit++) {
            byte[] changed = content.clone();
            changed[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            refused(key, "pvc-1", Base64.getEncoder().encodeToString(changed));
        }
        Stream.of("", "AQ==", "not base64!").forEach(text -> refused(key, "pvc-1", text));
    }

    @Test
    void theKeySurvivesARestartAndIsForRootOnly() throws IOException {
        var first = NodeKey.of(state.resolve("deep/er"), "worker-1");
        Path file = state.resolve("deep/er/node-key");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        var again = NodeKey.of(state.resolve("deep/er"), "worker-1");

        assertThat(again.publicKey()).isEqualTo(first.publicKey());
        assertThat(again.open("pvc-1", seal(first, "worker-1", "pvc-1"))).isEqualTo(CHAP);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        try (var files = Files.list(state.resolve("deep/er"))) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void whoeverComesFirstMakesIt() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var made = Stream.generate(() -> threads.submit(() -> NodeKey.of(state, "worker-1")))
                    .limit(16)
                    .toList();
            var keys = new HashSet<NodePublicKey>();
            for (var key : made) {
                keys.add(key.get().publicKey());
            }
            assertThat(keys).hasSize(1);
        }
    }

    @Test
    void aFileThatIsNoKeyIsNotReplacedBehindOnesBack() throws IOException {
        String one = NodeKey.of(state.resolve("a"), "worker-1").publicKey().text();
        var lines = Files.readAllLines(state.resolve("a/node-key"));
        NodeKey.of(state.resolve("b"), "worker-1");
        var others = Files.readAllLines(state.resolve("b/node-key"));
        for (var content : List.of(
                List.<String>of(),
                List.of("x", "y"),
                List.of(one),
                List.of(one, "AAAA"),
                List.of(one, others.get(1)))) {
            Files.write(state.resolve("node-key"), content);
            assertThatThrownBy(() -> NodeKey.of(state, "worker-1"))
                    .isInstanceOf(StowageException.NotPossible.class)
                    .hasMessageNotContaining(lines.get(1))
                    .hasMessageNotContaining(others.get(1));
            assertThat(Files.readAllLines(state.resolve("node-key"))).isEqualTo(content);
        }
    }

    @Test
    void thePublicKeyReadsFromItsText() {
        var key = NodeKey.of(state, "worker-1").publicKey();
        assertThat(NodePublicKey.parse("worker-1", key.text())).isEqualTo(key);
        assertThatThrownBy(() -> NodePublicKey.parse("worker-1", "nonsense"))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining("worker-1");
    }

    /** To such a point everybody finds the same shared secret. */
    @Test
    void nothingIsSealedToAKeyThatEverybodyCouldOpen() {
        byte[] zero = HexFormat.of().parseHex("302a300506032b656e032100" + "00".repeat(32));
        assertThatThrownBy(() -> Sealing.seal(
                        CHAP,
                        NodePublicKey.parse("worker-1", Base64.getEncoder().encodeToString(zero)),
                        "worker-1",
                        "pvc-1"))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining("worker-1");
    }

    private static String seal(NodeKey to, String node, String volume) {
        return Sealing.seal(CHAP, NodePublicKey.parse(node, to.publicKey().text()), node, volume);
    }

    private static void refused(NodeKey key, String volume, String sealed) {
        assertThatThrownBy(() -> key.open(volume, sealed))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining(volume);
    }
}
