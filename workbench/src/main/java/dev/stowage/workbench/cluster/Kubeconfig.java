package dev.stowage.workbench.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/** The file with which a client finds the API server and says who it is. It holds the certificates, so that it can be passed on. */
final class Kubeconfig {

    private Kubeconfig() {}

    static void write(Path file, String cluster, String server, Certificates certificates, String user) {
        var text = """
                apiVersion: v1
                kind: Config
                current-context: %1$s
                clusters:
                - name: %1$s
                  cluster:
                    server: %2$s
                    certificate-authority-data: %3$s
                contexts:
                - name: %1$s
                  context:
                    cluster: %1$s
                    user: %4$s
                users:
                - name: %4$s
                  user:
                    client-certificate-data: %5$s
                    client-key-data: %6$s
                """.formatted(
                        cluster,
                        server,
                        encoded(certificates.authority()),
                        user,
                        encoded(certificates.certificate(user)),
                        encoded(certificates.key(user)));
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write " + file, failure);
        }
    }

    private static String encoded(Path file) {
        try {
            return Base64.getEncoder().encodeToString(Files.readAllBytes(file));
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read " + file, failure);
        }
    }
}
