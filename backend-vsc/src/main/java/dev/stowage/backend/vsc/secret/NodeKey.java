package dev.stowage.backend.vsc.secret;

import dev.stowage.core.error.StowageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The key of a node: made once, kept in the node's state directory, where root alone can read it, and never sent anywhere. A node that
 * gets a new one can no longer open what was sealed before.
 */
public final class NodeKey implements Unseal {

    private static final String FILE = "node-key";
    private static final Set<PosixFilePermission> OWNER_ONLY =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private final String node;
    private final PrivateKey privateKey;
    private final NodePublicKey publicKey;

    private NodeKey(String node, PrivateKey privateKey, NodePublicKey publicKey) {
        this.node = node;
        this.privateKey = privateKey;
        this.publicKey = publicKey;
    }

    /** The key that is in the directory; made there if there is none. */
    public static NodeKey of(Path stateDirectory, String node) {
        Path file = stateDirectory.resolve(FILE);
        try {
            Files.createDirectories(stateDirectory);
            if (!Files.exists(file)) {
                make(stateDirectory, file);
            }
            Files.setPosixFilePermissions(file, OWNER_ONLY);
            return read(file, node);
        } catch (IOException failed) {
            throw StowageException.unavailable(failed, "cannot keep the key of node %s in %s: %s", node, file, failed);
        }
    }

    /** For everybody to know. */
    public NodePublicKey publicKey() {
        return publicKey;
    }

    @Override
    public Secret open(String volume, String sealed) {
        return Sealing.open(sealed, privateKey, node, volume)
                .orElseThrow(() -> StowageException.notPossible(
                        "the CHAP secret of volume %s cannot be opened: it was sealed to another node or for another volume"
                                + " than node %s, to a key that this node no longer has, or was changed on its way;"
                                + " delete the pod, so that the volume is detached and attached anew",
                        volume, node));
    }

    @Override
    public String toString() {
        return "key of node " + node;
    }

    /** Whoever comes first makes it; a file is there with all of its content or not at all, also after a power failure. */
    private static void make(Path directory, Path file) throws IOException {
        Path fresh = directory.resolve("." + FILE + "." + UUID.randomUUID());
        try {
            try (var channel = FileChannel.open(
                    fresh,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
                channel.write(ByteBuffer.wrap(generate().getBytes(StandardCharsets.US_ASCII)));
                channel.force(true);
            }
            Files.createLink(file, fresh);
        } catch (FileAlreadyExistsException anotherWasFirst) {
            return;
        } finally {
            Files.deleteIfExists(fresh);
            try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    private static String generate() {
        try {
            var pair = KeyPairGenerator.getInstance(NodePublicKey.ALGORITHM).generateKeyPair();
            return "%s\n%s\n"
                    .formatted(
                            new NodePublicKey(pair.getPublic()).text(),
                            Base64.getEncoder().encodeToString(pair.getPrivate().getEncoded()));
        } catch (GeneralSecurityException missing) {
            throw Cryptography.impossible(missing);
        }
    }

    private static NodeKey read(Path file, String node) throws IOException {
        List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
        if (lines.size() != 2) {
            throw notAKey(file, node, "it has " + lines.size() + " lines instead of 2");
        }
        try {
            var key = new NodeKey(
                    node,
                    KeyFactory.getInstance(NodePublicKey.ALGORITHM)
                            .generatePrivate(
                                    new PKCS8EncodedKeySpec(Base64.getDecoder().decode(lines.getLast()))),
                    NodePublicKey.parse(node, lines.getFirst()));
            if (!key.partsFit()) {
                throw notAKey(file, node, "its two parts do not belong together");
            }
            return key;
        } catch (GeneralSecurityException | IllegalArgumentException unreadable) {
            throw notAKey(file, node, String.valueOf(unreadable.getMessage()));
        }
    }

    private static StowageException notAKey(Path file, String node, String why) {
        return StowageException.notPossible(
                "the file %s is not a key of a node (%s); remove it and restart the driver on node %s. Block volumes that are"
                        + " attached to the node but not mounted then have to be detached and attached anew",
                file, why, node);
    }

    private boolean partsFit() {
        return Sealing.open(Sealing.seal(new Secret(FILE), publicKey, node, FILE), privateKey, node, FILE)
                .isPresent();
    }
}
