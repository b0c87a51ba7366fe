package dev.stowage.backend.vsc.secret;

import dev.stowage.core.error.StowageException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.ProviderException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.DecapsulateException;
import javax.crypto.KEM;

/**
 * Seals a secret to the key of one node, for one volume: a key encapsulation (DHKEM with X25519) makes a key that is used once, and
 * AES-256-GCM hides the secret under it, with node and volume as associated data. The whole is base64 of a version, the encapsulation
 * and the hidden secret.
 */
public final class Sealing {

    private static final String ALGORITHM = "DHKEM";
    private static final byte FORMAT = 1;
    private static final int ENCAPSULATION_BYTES = 32;

    private Sealing() {}

    /** For what a target proves itself with, in place of the volume: neither secret can be taken for the other. */
    public static String ofTarget(String volume) {
        return volume + "/target";
    }

    public static String seal(Secret secret, NodePublicKey to, String node, String volume) {
        try {
            var encapsulated =
                    KEM.getInstance(ALGORITHM).newEncapsulator(to.key()).encapsulate();
            byte[] context = context(node, volume);
            var once = Once.of(encapsulated.key().getEncoded(), context);
            byte[] hidden = Cryptography.encrypt(Cryptography.aes(once.key()), once.nonce(), context, secret.reveal());
            return Base64.getEncoder()
                    .encodeToString(ByteBuffer.allocate(1 + ENCAPSULATION_BYTES + hidden.length)
                            .put(FORMAT)
                            .put(encapsulated.encapsulation())
                            .put(hidden)
                            .array());
        } catch (GeneralSecurityException | ProviderException unusable) {
            throw StowageException.notPossible(
                    "nothing can be sealed to the key of node %s (%s); remove the annotation with the key from its VSCNode"
                            + " and restart the driver on that node, which writes it anew",
                    node, unusable.getMessage());
        }
    }

    /** Empty when it was sealed to another node or key, for another volume, or was changed. */
    static Optional<Secret> open(String sealed, PrivateKey key, String node, String volume) {
        byte[] content;
        try {
            content = Base64.getDecoder().decode(sealed);
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
        int start = 1 + ENCAPSULATION_BYTES;
        if (content.length < start + Cryptography.TAG_BYTES || content[0] != FORMAT) {
            return Optional.empty();
        }
        try {
            byte[] context = context(node, volume);
            var once = Once.of(
                    KEM.getInstance(ALGORITHM)
                            .newDecapsulator(key)
                            .decapsulate(Arrays.copyOfRange(content, 1, start))
                            .getEncoded(),
                    context);
            return Cryptography.decrypt(
                            Cryptography.aes(once.key()),
                            once.nonce(),
                            context,
                            Arrays.copyOfRange(content, start, content.length))
                    .map(Secret::new);
        } catch (DecapsulateException changed) {
            return Optional.empty();
        } catch (GeneralSecurityException missing) {
            throw Cryptography.impossible(missing);
        }
    }

    /** A key and a nonce that are never used again, because the encapsulation is another each time. */
    private record Once(byte[] key, byte[] nonce) {
        static Once of(byte[] shared, byte[] context) {
            byte[] both = Cryptography.derive(shared, context, Cryptography.KEY_BYTES + Cryptography.NONCE_BYTES);
            return new Once(
                    Arrays.copyOf(both, Cryptography.KEY_BYTES),
                    Arrays.copyOfRange(both, Cryptography.KEY_BYTES, both.length));
        }
    }

    private static byte[] context(String node, String volume) {
        return Cryptography.context("stowage sealing", node, volume);
    }
}
