package dev.stowage.arrayapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArrayTrustTest {

    @TempDir
    Path directory;

    @Test
    void trustedCertificatesAreAFileOfSeveralOrADirectoryAsASecretIsMounted() throws Exception {
        String east = certificate("east");
        String west = certificate("west");
        Path both = Files.writeString(directory.resolve("both.pem"), east + west);
        Path mounted = directory.resolve("mounted");
        Path data = Files.createDirectories(mounted.resolve("..2026"));
        Files.writeString(data.resolve("east.crt"), east);
        Files.writeString(data.resolve("west"), west);
        Files.createSymbolicLink(mounted.resolve("..data"), Path.of("..2026"));
        Files.createSymbolicLink(mounted.resolve("east.crt"), Path.of("..data/east.crt"));
        Files.createSymbolicLink(mounted.resolve("west"), Path.of("..data/west"));

        assertThat(ArrayTrust.read(mounted)).hasSize(2).isEqualTo(ArrayTrust.read(both));
        assertThat(ArrayTrust.verifying(Optional.of(mounted)).getProtocol()).isEqualTo("TLS");
    }

    @Test
    void whatIsNoCertificateIsNamed() throws IOException {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        assertThatThrownBy(() -> ArrayTrust.verifying(Optional.of(empty)))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining(empty.toString());
        Path wrong = Files.writeString(empty.resolve("wrong.crt"), "not a certificate");
        assertThatThrownBy(() -> ArrayTrust.verifying(Optional.of(empty)))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining(wrong.toString());
    }

    private String certificate(String name) throws IOException, InterruptedException {
        Path store = directory.resolve(name + ".p12");
        keytool("-genkeypair", "-alias", name, "-keyalg", "EC", "-dname", "CN=" + name, "-keystore", store.toString());
        Path text = directory.resolve(name + ".pem");
        keytool("-exportcert", "-rfc", "-alias", name, "-keystore", store.toString(), "-file", text.toString());
        return Files.readString(text);
    }

    private static void keytool(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storepass", "changeit"));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }
}
