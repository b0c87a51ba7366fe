package dev.stowage.conformance.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import csi.v1.Csi;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.rpc.Rpc;
import dev.stowage.conformance.rpc.Scene;
import dev.stowage.conformance.rpc.Spot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SecretsTest {

    private static final String SECRET = "canary-4bd1a7c2-do-not-tell";
    private static final String TOKENS = "csi.storage.k8s.io/serviceAccount.tokens";

    /** Larger than anything but the pool's own image. */
    private static final long LARGEST_FILE = 1L << 30;

    @Test
    void secretsAppearInNoLogNoAnswerAndNoFile() throws IOException {
        try (var workspace = Workspace.create();
                var driver = RunningDriver.in(workspace)
                        .sharingBlocks("4Gi")
                        .with("--log-level", "trace")
                        .start();
                var scene = Scene.set(driver.csi(), workspace)) {
            var requests = new ArrayList<>(scene.requests());
            requests.addAll(scene.variants());
            // Refused ones too: an error names what is wrong with a request, and must not name this.
            Rpc.all().forEach(rpc -> requests.add(rpc.emptyRequest()));
            var filled = new TreeSet<String>();
            for (Message request : requests) {
                for (Spot spot : Spot.in(request)) {
                    boolean token =
                            spot.field().endsWith("_context") && spot.path().endsWith("[+key]");
                    if (!spot.secret() && !token) {
                        continue;
                    }
                    filled.add(Rpc.taking(request).name());
                    var answer = Rpc.call(
                            driver.csi(),
                            token ? withToken(request, spot) : spot.with().apply(SECRET));
                    assertThat(answer.toString()).doesNotContain(SECRET);
                    if (spot.secret()) {
                        // A confirmed context, in contrast, is repeated to its sender, as CSI wants.
                        assertThat(answer.messages().toString()).doesNotContain(SECRET);
                    }
                }
            }
            assertThat(filled).containsExactlyInAnyOrderElementsOf(withSecrets());
            assertThat(driver.log()).contains("<stripped>").doesNotContain(SECRET);
            assertNotIn(workspace.root());
        }
    }

    private static List<String> withSecrets() {
        return Rpc.all().stream()
                .filter(rpc -> rpc.emptyRequest().getDescriptorForType().getFields().stream()
                        .anyMatch(field -> field.getOptions().getExtension(Csi.csiSecret)))
                .map(Rpc::name)
                .toList();
    }

    /** Every context may hold tokens of service accounts, which are secrets in all but their mark. */
    private static Message withToken(Message request, Spot spot) {
        var field = request.getDescriptorForType().findFieldByName(spot.field());
        var added = (Message) spot.with().apply(TOKENS);
        int last = added.getRepeatedFieldCount(field) - 1;
        var entry = (Message) added.getRepeatedField(field, last);
        var value = entry.getDescriptorForType().findFieldByNumber(2);
        return added.toBuilder()
                .setRepeatedField(
                        field, last, entry.toBuilder().setField(value, SECRET).build())
                .build();
    }

    private static void assertNotIn(Path root) throws IOException {
        try (var files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (Files.size(file) < LARGEST_FILE) {
                    assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(SECRET))
                            .as(file.toString())
                            .isFalse();
                }
            }
        }
    }
}
