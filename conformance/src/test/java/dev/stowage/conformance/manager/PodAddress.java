package dev.stowage.conformance.manager;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;

/** Where the API server finds what the test itself runs in place of a pod. */
final class PodAddress {

    private PodAddress() {}

    /** The API server asks no pod at a loopback address. */
    static String ofThisMachine() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address
                        && !address.isLoopbackAddress()
                        && !address.isLinkLocalAddress())
                .map(InetAddress::getHostAddress)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("this machine has no address but loopback; give it one"));
    }
}
