package dev.stowage.workbench.cluster;

import dev.stowage.workbench.process.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The cluster's own authority, and a certificate for everyone who has to prove who it is. */
final class Certificates {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Path directory;

    Certificates(Path directory) {
        this.directory = directory;
        try {
            Files.createDirectories(directory);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot make " + directory, failure);
        }
        if (!Files.exists(authority())) {
            make(
                    "authority",
                    "/CN=stowage-cluster",
                    List.of("-addext", "keyUsage=critical,keyCertSign,digitalSignature"));
        }
    }

    Path authority() {
        return certificate("authority");
    }

    Path authorityKey() {
        return key("authority");
    }

    Path certificate(String name) {
        return directory.resolve(name + ".crt");
    }

    Path key(String name) {
        return directory.resolve(name + ".key");
    }

    /** What a user of the API shows; the groups are what the API server takes its organizations for. */
    void user(String name, String user, String group) {
        issue(name, (group.isEmpty() ? "" : "/O=" + group) + "/CN=" + user, "clientAuth", List.of());
    }

    /** What a server shows at these names and addresses. */
    void server(String name, List<String> alternatives) {
        issue(
                name,
                "/CN=" + name,
                "serverAuth",
                List.of("-addext", "subjectAltName=" + String.join(",", alternatives)));
    }

    /** A key that signs the tokens of service accounts. */
    void signingKey(String name) {
        if (Files.exists(key(name))) {
            return;
        }
        var next = directory.resolve(name + ".new");
        Programs.run(LIMIT, "openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", next.toString())
                .orThrow();
        move(next, key(name));
    }

    private void issue(String name, String subject, String usage, List<String> extensions) {
        if (Files.exists(certificate(name))) {
            return;
        }
        var arguments = new ArrayList<>(List.of(
                "-CA",
                authority().toString(),
                "-CAkey",
                authorityKey().toString(),
                "-addext",
                "basicConstraints=critical,CA:FALSE",
                "-addext",
                "keyUsage=critical,digitalSignature",
                "-addext",
                "extendedKeyUsage=" + usage));
        arguments.addAll(extensions);
        make(name, subject, arguments);
    }

    /** The certificate gets its name last, so that one that has its name also has its key. */
    private void make(String name, String subject, List<String> arguments) {
        var next = directory.resolve(name + ".new");
        var command = new ArrayList<>(List.of(
                "openssl",
                "req",
                "-x509",
                "-days",
                "3650",
                "-nodes",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-subj",
                subject,
                "-keyout",
                key(name).toString(),
                "-out",
                next.toString()));
        command.addAll(arguments);
        Programs.run(LIMIT, command).orThrow();
        move(next, certificate(name));
    }

    private static void move(Path from, Path to) {
        try {
            Files.move(from, to);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot name " + to, failure);
        }
    }
}
