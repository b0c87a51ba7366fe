package dev.stowage.workbench.e2e;

import dev.stowage.workbench.WorkbenchException;
import dev.stowage.workbench.cluster.ClusterNode;
import dev.stowage.workbench.process.Programs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.command.AbstractCommandSupport;

/**
 * Lets the suite log in to nodes, which it does to stop a kubelet and to look around. The server is in this process; a node sends on
 * to it who asks at its port 22. It runs what it is told in the node, and stops and starts kubelets as systemd would.
 */
final class NodeLogin implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Pattern KUBELET =
            Pattern.compile("(?:sudo )?systemctl (stop|start|restart|show) kubelet(?: .*)?");
    private static final String TABLE = "e2e_login";

    /** Held, because the level goes with the logger. */
    private static final Logger LIBRARY = Logger.getLogger("org.apache.sshd");

    static {
        LIBRARY.setLevel(Level.WARNING);
    }

    private final List<ClusterNode> nodes;
    private final List<SshServer> servers = new ArrayList<>();
    private final Path key;

    /**
     * @param host the address by which nodes reach this machine
     * @param directory where the key is put that opens the nodes
     */
    NodeLogin(List<ClusterNode> nodes, String host, Path directory) {
        this.nodes = List.copyOf(nodes);
        key = directory.resolve("login.key");
        try {
            var pair = newKey();
            write(pair, key);
            for (var node : nodes) {
                var server = serve(node, host, pair);
                servers.add(server);
                sendOn(node, host, server.getPort());
            }
        } catch (IOException | GeneralSecurityException failure) {
            close();
            throw new WorkbenchException("cannot let the suite log in to nodes: " + failure.getMessage(), failure);
        }
    }

    /** The key that opens the nodes. */
    Path key() {
        return key;
    }

    private static SshServer serve(ClusterNode node, String host, KeyPair pair) throws IOException {
        var server = SshServer.setUpDefaultServer();
        server.setHost(host);
        server.setPort(0);
        server.setKeyPairProvider(KeyPairProvider.wrap(pair));
        server.setPublickeyAuthenticator((user, offered, session) -> offered.equals(pair.getPublic()));
        server.setCommandFactory((channel, command) -> new InNode(node, command));
        server.start();
        return server;
    }

    private static void sendOn(ClusterNode node, String host, int port) {
        stopSendingOn(node);
        node.run(LIMIT, List.of("nft", """
                                add table ip %1$s
                                add chain ip %1$s to { type nat hook prerouting priority -110 ; }
                                add rule ip %1$s to ip daddr %2$s tcp dport 22 dnat to %3$s:%4$d
                                add chain ip %1$s from { type nat hook postrouting priority 90 ; }
                                add rule ip %1$s from ip daddr %3$s tcp dport %4$d masquerade
                                """.formatted(TABLE, node.address(), host, port)))
                .orThrow();
    }

    private static void stopSendingOn(ClusterNode node) {
        // Of a table that is not there, nothing has to be removed.
        node.run(LIMIT, List.of("nft", "delete table ip " + TABLE));
    }

    private static KeyPair newKey() throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private static void write(KeyPair pair, Path file) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(
                file,
                "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
                        .formatted(Base64.getMimeEncoder(64, new byte[] {'\n'})
                                .encodeToString(pair.getPrivate().getEncoded())));
    }

    @Override
    public void close() {
        nodes.stream().filter(ClusterNode::running).forEach(NodeLogin::stopSendingOn);
        for (var server : servers) {
            try {
                server.stop(true);
            } catch (IOException failure) {
                throw new WorkbenchException("cannot end the login to nodes: " + failure.getMessage(), failure);
            }
        }
    }

    private static final class InNode extends AbstractCommandSupport {
        private final ClusterNode node;

        InNode(ClusterNode node, String command) {
            super(command, null);
            this.node = node;
        }

        @Override
        public void run() {
            try {
                var result = execute(getCommand());
                put(getOutputStream(), result.stdout());
                put(getErrorStream(), result.stderr());
                onExit(result.exitCode());
            } catch (IOException | WorkbenchException failure) {
                onExit(255, String.valueOf(failure.getMessage()));
            }
        }

        private Programs.Result execute(String command) {
            var kubelet = KUBELET.matcher(command.strip());
            if (!kubelet.matches()) {
                return node.run(LIMIT, List.of("bash", "-c", command));
            }
            var says = switch (kubelet.group(1)) {
                case "stop" -> {
                    node.stopKubelet();
                    yield "";
                }
                case "start" -> {
                    node.startKubelet();
                    yield "";
                }
                case "restart" -> {
                    node.restartKubelet();
                    yield "";
                }
                default -> node.kubeletRunning() ? "active\n" : "inactive\n";
            };
            return new Programs.Result(List.of(command), 0, says, "");
        }

        private static void put(OutputStream stream, String text) throws IOException {
            stream.write(text.getBytes(StandardCharsets.UTF_8));
            stream.flush();
        }
    }
}
