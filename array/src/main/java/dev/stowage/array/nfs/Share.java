package dev.stowage.array.nfs;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * A volume as it is shared.
 *
 * @param number the server's number for it, which no other share has
 * @param id the volume's
 * @param name the last part of the path that clients mount
 * @param image the file with its filesystem
 * @param clients who may use it, and nobody else
 * @param squashesRoot whether a client's root is nobody here
 * @param anonymousUser who nobody is, and his group
 */
public record Share(
        int number,
        String id,
        String name,
        Path image,
        List<Client> clients,
        boolean squashesRoot,
        OptionalLong anonymousUser,
        OptionalLong anonymousGroup) {

    public Share {
        clients = List.copyOf(clients);
    }

    /**
     * Who may use a share.
     *
     * @param address an address or a network
     */
    public record Client(String address, boolean readOnly) {}
}
