package dev.stowage.backend.vsc.secret;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.error.StowageException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is done with a secret, and however it fails: nothing that is said of it has it. */
class NeverShownTest {

    private static final String SECRET = "canary-c0ffee-token";
    private static final String KEY = "canary-key-abcdefghijklmnopqrst!";

    private final Logger root = Logger.getLogger("");
    private final Level usual = root.getLevel();
    private final List<String> said = new ArrayList<>();
    private final Handler listener = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            said.add(new SimpleFormatter().format(entry));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @TempDir
    Path directory;

    @BeforeEach
    void listen() {
        listener.setLevel(Level.ALL);
        root.setLevel(Level.ALL);
        root.addHandler(listener);
    }

    @AfterEach
    void stopListening() {
        root.removeHandler(listener);
        root.setLevel(usual);
    }

    @Test
    void noTextHasIt() throws IOException {
        Path keys = Files.createDirectory(directory.resolve("keys"));
        Files.writeString(keys.resolve("GLOBAL_ENCRYPTION_KEY"), KEY);
        var vault = new Vault(keys);
        String stored = vault.encrypted("VPSA/east/token", SECRET);
        vault.plain("VPSA/east/token", stored);
        fails(() -> vault.plain("VPSA/west/token", stored));
        fails(() -> vault.plain("VPSA/west/token", SECRET));
        say(KeyRing.read(keys));
        Files.writeString(keys.resolve("GLOBAL_ENCRYPTION_KEY"), KEY + KEY);
        fails(() -> vault.encrypted("VPSA/east/token", SECRET));

        var node = NodeKey.of(directory.resolve("state"), "worker-1");
        String sealed = Sealing.seal(new Secret(SECRET), node.publicKey(), "worker-1", "pvc-1");
        say(node.open("pvc-1", sealed));
        say(node);
        fails(() -> node.open("pvc-2", sealed));
        fails(() -> node.open("pvc-1", SECRET));
        String privateKey =
                Files.readAllLines(directory.resolve("state/node-key")).get(1);
        Files.writeString(directory.resolve("state/node-key"), SECRET + "\n" + privateKey.substring(1) + "\n");
        fails(() -> NodeKey.of(directory.resolve("state"), "worker-1"));
        fails(() -> NodePublicKey.parse("worker-1", SECRET));

        assertThat(said)
                .isNotEmpty()
                .noneMatch(text -> text.contains("canary"))
                .noneMatch(text -> text.contains(privateKey.substring(20)));
        assertThat(stored + sealed).doesNotContain("canary");
    }

    private void say(Object value) {
        said.add(value.toString());
    }

    private void fails(Runnable call) {
        try {
            call.run();
        } catch (StowageException refused) {
            var text = new StringWriter();
            refused.printStackTrace(new PrintWriter(text));
            said.add(text.toString());
            return;
        }
        throw new AssertionError("this has to fail");
    }
}
