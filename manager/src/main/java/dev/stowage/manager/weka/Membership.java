package dev.stowage.manager.weka;

import dev.stowage.kube.weka.WekaClient;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Which cluster a client is of. */
final class Membership {

    private Membership() {}

    /** What a client says of it: the cluster that it names, or the machines that it knows. */
    static List<String> of(WekaClient client) {
        if (client.getSpec().targetCluster() != null) {
            return List.of(World.targetName(client));
        }
        return Objects.requireNonNullElse(client.getSpec().joinIpPorts(), List.<String>of()).stream()
                .map(Membership::machine)
                .distinct()
                .sorted()
                .toList();
    }

    /** Without the port: a machine has several, and any of them will do. */
    private static String machine(String address) {
        String text = address.strip().toLowerCase(Locale.ROOT);
        if (text.startsWith("[") && text.contains("]")) {
            return text.substring(1, text.indexOf(']'));
        }
        int port = text.indexOf(':');
        boolean isOnlyOne = port == text.lastIndexOf(':');
        return port < 0 || !isOnlyOne ? text : text.substring(0, port);
    }

    /** Whether two clients are of one cluster: they name it, or know some of the same machines of it, which come and go. */
    static boolean together(WekaClient one, WekaClient other) {
        boolean named = one.getSpec().targetCluster() != null;
        return Key.named(one).equals(Key.named(other))
                || named == (other.getSpec().targetCluster() != null) && !Collections.disjoint(of(one), of(other));
    }

    /**
     * Whether a client has a driver and says the same of its cluster as when it got it. What others say by now does not take it away: a whole cluster
     * may get other addresses, and its clients are told one after the other.
     */
    static boolean isUnchanged(WekaClient client, String driver) {
        var status = client.getStatus();
        return driver.equals(status.csiDriverName()) && of(client).equals(status.csiCluster());
    }
}
