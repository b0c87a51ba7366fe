package dev.stowage.array.service;

import dev.stowage.array.record.ArrayRecord;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;

/**
 * Who may call. What is in the token file is the password of the array's only user, and its access key until that is replaced.
 * Another token in the file makes itself the key again.
 */
public final class Keys {

    public static final String USER = "admin";

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int KEY_BYTES = 20;

    private final Parts parts;
    private final String token;

    public Keys(Parts parts, String token) {
        this.parts = parts;
        this.token = token;
    }

    public boolean admits(String key) {
        return same(key, current());
    }

    /** The access key, for whoever knows the password. */
    public String login(String user, String password) {
        if (!user.equals(USER) || !same(password, token)) {
            throw Refusal.of(Status.BAD_CREDENTIALS, "the user or the password is wrong");
        }
        return current();
    }

    /** Replaces the access key; the old one is refused from then on. */
    public String replace(String user) {
        if (!user.equals(USER)) {
            throw Refusal.of(Status.BAD_CREDENTIALS, "there is no user %s; the only one is %s", user, USER);
        }
        try (var _ = parts.lanes().enter("replacing the access key", List.of(Parts.lane(USER)))) {
            var random = new byte[KEY_BYTES];
            RANDOM.nextBytes(random);
            var key = HexFormat.of().formatHex(random);
            parts.change(own -> own.setAccessKey(key).setReplacedTokenDigest(digest(token)));
            return key;
        }
    }

    private String current() {
        ArrayRecord own = parts.own();
        return own.getReplacedTokenDigest().equals(digest(token)) ? own.getAccessKey() : token;
    }

    private static boolean same(String one, String other) {
        return MessageDigest.isEqual(bytes(one), bytes(other));
    }

    private static String digest(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes(text)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
