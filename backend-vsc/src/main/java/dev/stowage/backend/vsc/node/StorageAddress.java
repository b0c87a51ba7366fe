package dev.stowage.backend.vsc.node;

import dev.stowage.core.error.StowageException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Pattern;

/** The address by which arrays see this node. */
final class StorageAddress {

    private static final Pattern NETWORK = Pattern.compile("([0-9a-fA-F.:]+)/([0-9]{1,3})");

    private StorageAddress() {}

    /** The first address of this machine that is inside the storage network; without one, the node's own. */
    static String find(VscNodeSettings settings) {
        if (settings.storageNetwork().isEmpty()) {
            return settings.address()
                    .orElseThrow(
                            () -> StowageException.invalid(
                                    "neither the node's address nor a storage network is known; give --node-ip or --storage-network"));
        }
        String network = settings.storageNetwork().get();
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> contains(network, address))
                    .map(InetAddress::getHostAddress)
                    .findFirst()
                    .orElseThrow(() -> StowageException.notPossible(
                            "this node has no address in the storage network %s; correct --storage-network, or the node's"
                                    + " network",
                            network));
        } catch (SocketException failed) {
            throw StowageException.internal(failed, "the addresses of this node cannot be read: %s", failed);
        }
    }

    static boolean contains(String network, InetAddress address) {
        var match = NETWORK.matcher(network);
        if (!match.matches()) {
            throw StowageException.invalid("storage network '%s': expected one such as 192.168.50.0/24", network);
        }
        byte[] base = literal(match.group(1)).getAddress();
        int bits = Integer.parseInt(match.group(2));
        byte[] asked = address.getAddress();
        if (bits > base.length * Byte.SIZE) {
            throw StowageException.invalid("storage network '%s': it has more bits than an address", network);
        }
        return base.length == asked.length && Arrays.equals(masked(base, bits), masked(asked, bits));
    }

    private static InetAddress literal(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException malformed) {
            throw StowageException.invalid("storage network: '%s' is no address", text);
        }
    }

    private static byte[] masked(byte[] address, int bits) {
        byte[] masked = address.clone();
        for (int bit = bits; bit < masked.length * Byte.SIZE; bit++) {
            masked[bit / Byte.SIZE] &= (byte) ~(0x80 >> (bit % Byte.SIZE));
        }
        return masked;
    }
}
