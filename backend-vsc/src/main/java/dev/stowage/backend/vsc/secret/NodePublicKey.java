package dev.stowage.backend.vsc.secret;

import dev.stowage.core.error.StowageException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/** The part of a node's key that everybody may know. */
public record NodePublicKey(PublicKey key) {

    static final String ALGORITHM = "X25519";

    /** @param text what {@link #text} gave, as the node put it on its VSCNode */
    public static NodePublicKey parse(String node, String text) {
        try {
            return new NodePublicKey(KeyFactory.getInstance(ALGORITHM)
                    .generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(text))));
        } catch (GeneralSecurityException | IllegalArgumentException notAKey) {
            throw StowageException.notPossible(
                    "the key of node %s on its VSCNode is not an X25519 key (%s); restart the driver on that node,"
                            + " which writes it anew",
                    node, notAKey.getMessage());
        }
    }

    public String text() {
        return Base64.getEncoder().encodeToString(key.getEncoded());
    }
}
