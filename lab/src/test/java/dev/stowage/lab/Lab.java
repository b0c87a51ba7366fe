package dev.stowage.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;

/** Boots a kernel for one scenario, and tells how that ended. */
final class Lab {

    private static final int MINUTES = 3;

    private Lab() {}

    /** Runs the scenario of this name of a class in a guest of its own; fails with all that it said if it fails. */
    static void run(Class<?> guest, String scenario) throws IOException, InterruptedException {
        var prepared = System.getenv("STOWAGE_LAB");
        assertThat(prepared)
                .as("STOWAGE_LAB says where the guest's kernel is; `./stowage test` prepares it")
                .isNotNull();
        var directory = Files.createTempDirectory("stowage-lab-").toRealPath();
        try {
            Files.writeString(directory.resolve("job.sh"), job(guest, scenario));
            var boot = Path.of("src/test/lab/boot.sh").toAbsolutePath();
            var process = new ProcessBuilder("bash", boot.toString(), prepared, directory.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("boot").toFile())
                    .start();
            boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
            if (!ended) {
                process.destroy();
                process.waitFor();
            }
            assertThat(ended && process.exitValue() == 0)
                    .as(() -> "scenario " + scenario + " in the guest:\n" + said(directory))
                    .isTrue();
        } finally {
            delete(directory);
        }
    }

    /** The guest sees this machine's files, so its Java and its classes are ours. */
    private static String job(Class<?> guest, String scenario) {
        return """
                set -e
                exec '%s' --enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx128m -cp '%s' %s %s
                """.formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        guest.getName(),
                        scenario);
    }

    private static String said(Path directory) {
        var text = new StringBuilder();
        for (var name : new String[] {"out", "boot"}) {
            try {
                text.append(Files.readString(directory.resolve(name), StandardCharsets.ISO_8859_1));
            } catch (IOException absent) {
                text.append("(no ").append(name).append(")\n");
            }
        }
        return text.toString();
    }

    private static void delete(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
