package dev.stowage.backend.vsc.central.member;

/** Secrets as they may be at rest. */
public interface Secrets {

    /** Whether this is what {@link #encrypted} makes. */
    boolean isEncrypted(String stored);

    /** @param place whose secret it is; it can be read for that place only */
    String encrypted(String place, String plain);

    /** @throws dev.stowage.core.error.StowageException when no key fits */
    String plain(String place, String stored);

    /** Whether it was encrypted with a key that is being given up. */
    boolean outdated(String stored);
}
