package dev.stowage.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.internal.CertUtils;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of every kind that kubeconfigs have, made by the program that everybody makes them with. */
class ClientKeyTest {

    @TempDir
    Path directory;

    private String run(List<String> command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(process.waitFor()).as(String.join(" ", command)).isZero();
        return output;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256",
                "openssl ecparam -name prime256v1 -genkey -noout",
                "openssl genpkey -algorithm RSA",
                "openssl genrsa -traditional 2048"
            })
    void aKeyIsReadAsWhatItIs(String command) throws Exception {
        String key = run(List.of(command.split(" ")));
        java.nio.file.Files.writeString(directory.resolve("key"), key);
        String certificate = run(List.of("openssl", "req", "-x509", "-key", "key", "-subj", "/CN=user", "-days", "1"));
        var config = new ConfigBuilder(io.fabric8.kubernetes.client.Config.empty())
                .withClientKeyData(coded(key))
                .withClientCertData(coded(certificate))
                .build();

        ClientKey.tellKind(config);

        var store = CertUtils.createKeyStore(
                config.getClientCertData(),
                null,
                config.getClientKeyData(),
                null,
                config.getClientKeyAlgo(),
                "",
                null,
                null);
        assertThat(store.size()).isEqualTo(1);
    }

    private static String coded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }
}
