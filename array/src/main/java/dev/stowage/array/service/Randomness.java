package dev.stowage.array.service;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Texts that nobody can guess. */
public final class Randomness {

    private static final SecureRandom RANDOM = new SecureRandom();

    private Randomness() {}

    /** Two digits for each byte. */
    public static String hex(int bytes) {
        var random = new byte[bytes];
        RANDOM.nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
