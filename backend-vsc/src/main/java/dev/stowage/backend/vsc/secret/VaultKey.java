package dev.stowage.backend.vsc.secret;

import java.util.HexFormat;
import javax.crypto.SecretKey;

/**
 * A key, and the name by which what it encrypted refers to it. Neither the key that is used nor its name tells the key that was given:
 * that one may be text, of which not every bit is random.
 */
record VaultKey(String id, SecretKey key) {

    static final int ID_BYTES = 8;

    static VaultKey of(byte[] given) {
        return new VaultKey(
                HexFormat.of()
                        .formatHex(Cryptography.derive(given, Cryptography.context("stowage vault key id"), ID_BYTES)),
                Cryptography.aes(
                        Cryptography.derive(given, Cryptography.context("stowage vault key"), Cryptography.KEY_BYTES)));
    }

    @Override
    public String toString() {
        return id;
    }
}
