package dev.stowage.backend.vsc.secret;

/** Opens what was sealed to this node. */
public interface Unseal {

    /**
     * @param volume the handle of the volume for which it was sealed
     * @throws dev.stowage.core.error.StowageException when it was sealed to another node or key, for another volume, or was changed
     */
    Secret open(String volume, String sealed);
}
