package dev.stowage.backend.vsc.secret;

import dev.stowage.core.error.StowageException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** What both ways of hiding a secret are made of: AES-256-GCM, and keys derived with HKDF-SHA256. */
final class Cryptography {

    static final int KEY_BYTES = 32;
    static final int NONCE_BYTES = 12;
    static final int TAG_BYTES = 16;

    private Cryptography() {}

    /** The texts as bytes from which each of them can be told again, so that no two lists give the same. */
    static byte[] context(String... texts) {
        var encoded = Arrays.stream(texts)
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toList();
        var joined = ByteBuffer.allocate(
                encoded.stream().mapToInt(text -> Integer.BYTES + text.length).sum());
        encoded.forEach(text -> joined.putInt(text.length).put(text));
        return joined.array();
    }

    /** A value for one purpose, from which neither its source nor another purpose's value can be told. */
    static byte[] derive(byte[] source, byte[] purpose, int length) {
        try {
            return KDF.getInstance("HKDF-SHA256")
                    .deriveData(HKDFParameterSpec.ofExtract().addIKM(source).thenExpand(purpose, length));
        } catch (GeneralSecurityException missing) {
            throw impossible(missing);
        }
    }

    static SecretKey aes(byte[] key) {
        return new SecretKeySpec(key, "AES");
    }

    static byte[] encrypt(SecretKey key, byte[] nonce, byte[] associated, String plain) {
        try {
            return cipher(Cipher.ENCRYPT_MODE, key, nonce, associated).doFinal(plain.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException missing) {
            throw impossible(missing);
        }
    }

    /** Empty when it was made with another key or for another place, or was changed. */
    static Optional<String> decrypt(SecretKey key, byte[] nonce, byte[] associated, byte[] hidden) {
        try {
            return Optional.of(new String(
                    cipher(Cipher.DECRYPT_MODE, key, nonce, associated).doFinal(hidden), StandardCharsets.UTF_8));
        } catch (AEADBadTagException refused) {
            return Optional.empty();
        } catch (GeneralSecurityException missing) {
            throw impossible(missing);
        }
    }

    static StowageException impossible(GeneralSecurityException missing) {
        return StowageException.internal(
                missing, "this Java does not have the cryptography that secrets need: %s", missing.getMessage());
    }

    private static Cipher cipher(int mode, SecretKey key, byte[] nonce, byte[] associated)
            throws GeneralSecurityException {
        var cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
        cipher.updateAAD(associated);
        return cipher;
    }
}
