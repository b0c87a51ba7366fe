package dev.stowage.backend.vsc.secret;

import dev.stowage.core.error.StowageException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Encryption of secrets at rest: {@code AES:} and, in base64, a version, the id of the key, a nonce and what AES-256-GCM made of it.
 *
 * <p>What is encrypted for one place can be read for that place only, so that nobody who can write resources but not read secrets
 * has one sent elsewhere by copying it to another object. A place is named by kind, name and field, not by what is remade with the
 * object, so that a saved manifest still applies.
 *
 * <p>To replace the key, put the new one into the file {@value KeyRing#FIRST} and the old one beside it under another name. What
 * {@link #outdated} tells of is to be encrypted anew; after that the old key can go.
 */
public final class Vault {

    private static final String PREFIX = "AES:";
    private static final byte FORMAT = 1;
    private static final int HEADER = 1 + VaultKey.ID_BYTES + Cryptography.NONCE_BYTES;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Path keys;

    /** @param keys a directory with a file for each key, of 32 bytes; read anew at each use */
    public Vault(Path keys) {
        this.keys = keys;
    }

    /** Whether this is what {@link #encrypted} makes, and not a secret in plain. */
    public boolean isEncrypted(String stored) {
        return stored.startsWith(PREFIX);
    }

    /** @param place whose secret it is, such as {@code VPSA/east/token} */
    public String encrypted(String place, String plain) {
        var key = KeyRing.read(keys).first();
        var nonce = new byte[Cryptography.NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        byte[] hidden = Cryptography.encrypt(key.key(), nonce, associated(place), plain);
        return PREFIX
                + Base64.getEncoder()
                        .encodeToString(ByteBuffer.allocate(HEADER + hidden.length)
                                .put(FORMAT)
                                .put(HexFormat.of().parseHex(key.id()))
                                .put(nonce)
                                .put(hidden)
                                .array());
    }

    /** @throws StowageException when it was not encrypted here, for another place, or with a key that is not there */
    public String plain(String place, String stored) {
        var parts = parse(stored)
                .orElseThrow(() -> StowageException.notPossible(
                        "%s was not encrypted by Stowage, or was cut off; write it again in plain", place));
        var ring = KeyRing.read(keys);
        var key = ring.find(parts.keyId())
                .orElseThrow(() -> StowageException.notPossible(
                        "%s was encrypted with key %s, which is not in %s (there: %s); put that key back, or write the secret again in plain",
                        place,
                        parts.keyId(),
                        keys,
                        ring.all().stream().map(VaultKey::id).collect(Collectors.joining(", "))));
        return Cryptography.decrypt(key.key(), parts.nonce(), associated(place), parts.hidden())
                .orElseThrow(() -> StowageException.notPossible(
                        "%s cannot be read: it was changed, or was encrypted for another object or field; write it again in plain",
                        place));
    }

    /** Whether it is this secret, under the key that encrypts now. */
    public boolean holds(String place, String stored, String plain) {
        var first = KeyRing.read(keys).first();
        return parse(stored)
                .filter(parts -> parts.keyId().equals(first.id()))
                .flatMap(parts -> Cryptography.decrypt(first.key(), parts.nonce(), associated(place), parts.hidden()))
                .filter(plain::equals)
                .isPresent();
    }

    /** Whether it was encrypted with another key that is still there than that which encrypts now. */
    public boolean outdated(String stored) {
        var ring = KeyRing.read(keys);
        return parse(stored)
                .flatMap(parts -> ring.find(parts.keyId()))
                .map(key -> !key.equals(ring.first()))
                .orElse(false);
    }

    /** The same secret under the present key; empty if it is already, or is not encrypted. */
    public Optional<String> reencrypted(String place, String stored) {
        return outdated(stored) ? Optional.of(encrypted(place, plain(place, stored))) : Optional.empty();
    }

    private record Parts(String keyId, byte[] nonce, byte[] hidden) {}

    private static Optional<Parts> parse(String stored) {
        if (!stored.startsWith(PREFIX)) {
            return Optional.empty();
        }
        byte[] content;
        try {
            content = Base64.getDecoder().decode(stored.substring(PREFIX.length()));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
        if (content.length < HEADER + Cryptography.TAG_BYTES || content[0] != FORMAT) {
            return Optional.empty();
        }
        var buffer = ByteBuffer.wrap(content, 1, content.length - 1);
        return Optional.of(new Parts(
                HexFormat.of().formatHex(take(buffer, VaultKey.ID_BYTES)),
                take(buffer, Cryptography.NONCE_BYTES),
                take(buffer, buffer.remaining())));
    }

    private static byte[] take(ByteBuffer buffer, int length) {
        var bytes = new byte[length];
        buffer.get(bytes);
        return bytes;
    }

    private static byte[] associated(String place) {
        return Cryptography.context("stowage vault", place);
    }
}
