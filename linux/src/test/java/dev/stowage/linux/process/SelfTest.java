package dev.stowage.linux.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.record.Change;
import dev.stowage.linux.record.RecordLog;
import dev.stowage.linux.testing.Scratch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SelfTest {
    private static final int KILLED = 128 + 9;

    @Test
    void testsRunAsRoot() {
        assertThat(Self.geteuid()).isZero();
    }

    @Test
    void aProcessKilledBetweenTwoEffectsKeepsWhatWasAcknowledged() throws Exception {
        try (var scratch = new Scratch()) {
            var file = scratch.path("log");
            var child = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Victim.class.getName(),
                            file.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            var acknowledged = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(child.waitFor()).isEqualTo(KILLED);
            assertThat(acknowledged.lines()).containsExactly("0", "1", "2");
            try (var log = RecordLog.open(file, "test")) {
                // The fourth was durable, too, although nobody was told.
                assertThat(log.takeInitial()).containsOnlyKeys("0", "1", "2", "3");
            }
        }
    }

    /** Commits records until it is killed just after the effect of the fourth. */
    static final class Victim {
        private Victim() {}

        public static void main(String[] arguments) {
            try (var log = RecordLog.open(Path.of(arguments[0]), "victim")) {
                Effects.observe(new Effects.Observer() {
                    private int records;

                    @Override
                    public void before(String kind, String detail) {}

                    @Override
                    public void after(String kind, String detail) {
                        if (kind.equals("record") && ++records == 4) {
                            Self.kill9();
                        }
                    }
                });
                for (int i = 0; i < 10; i++) {
                    log.commit(List.of(new Change.Put("" + i, new byte[100])));
                    System.out.println(i);
                }
            }
        }
    }
}
