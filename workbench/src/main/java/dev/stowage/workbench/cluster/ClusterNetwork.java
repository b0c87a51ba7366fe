package dev.stowage.workbench.cluster;

import dev.stowage.workbench.WorkbenchException;
import dev.stowage.workbench.process.Daemons;
import dev.stowage.workbench.process.ProcessIdentity;
import dev.stowage.workbench.process.Programs;
import dev.stowage.workbench.process.Programs.Result;
import dev.stowage.workbench.process.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The network that joins the machines of a cluster. It is a network namespace of its own with a bridge in it, where the control plane
 * runs; a process holds it, and with that process everything in it goes. The host takes part with one device.
 */
final class ClusterNetwork {
    /** The process that holds the namespace. */
    static final String HOLDER = "network";

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int FIRST = 200;
    private static final int LAST = 249;
    private static final String BRIDGE = "machines";

    private final Addresses addresses;
    private final Daemons daemons;

    ClusterNetwork(Addresses addresses, Daemons daemons) {
        this.addresses = addresses;
        this.daemons = daemons;
    }

    /**
     * A network that nobody on this machine uses.
     *
     * @param promised those that others have chosen, and may not have made yet
     */
    static int findFree(Set<Integer> promised) {
        var routes =
                Programs.run(LIMIT, "ip", "-4", "route", "show", "table", "all").orThrow();
        var devices = Programs.run(LIMIT, "ip", "-oneline", "link", "show").orThrow();
        return IntStream.rangeClosed(FIRST, LAST)
                .filter(network -> !promised.contains(network))
                .filter(network -> !routes.contains("10.%d.".formatted(network)))
                .filter(network -> !devices.contains(" " + new Addresses(network).device() + "@"))
                .findFirst()
                .orElseThrow(() -> new WorkbenchException(
                        "all networks from 10.%d.0.0/16 to 10.%d.0.0/16 are in use on this machine; take a cluster down that is no longer needed"
                                .formatted(FIRST, LAST)));
    }

    /**
     * Makes the network unless it is there. One that was left half made is made anew; whoever lived in the old one would hold it, and
     * is ended first.
     */
    void ensure(Path mark, Runnable endEverybody) {
        var holder = daemons.find(HOLDER);
        if (holder.isPresent() && holder.get().toString().equals(read(mark))) {
            return;
        }
        endEverybody.run();
        awaitTheEndOfTheDevice();
        var started = daemons.ensure(HOLDER, Map.of(), List.of("unshare", "--net", "sleep", "infinity"));
        if (!Waiting.until(LIMIT, () -> hasItsOwnNetwork(started))) {
            throw new WorkbenchException(
                    "the cluster's network namespace did not come up: " + daemons.lastWords(HOLDER));
        }
        makeTheBridge();
        joinTheHost(started);
        try {
            Files.writeString(mark, started.toString());
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write " + mark, failure);
        }
    }

    /** The command that runs another command in the network of the control plane. The process stays the same. */
    List<String> inside(List<String> command) {
        var whole = new ArrayList<>(List.of("nsenter", "--net=/proc/%d/ns/net".formatted(holder().pid())));
        whole.addAll(command);
        return whole;
    }

    /** Connects a node, whose first process has just made a network namespace, and says how its pods are reached. */
    void join(int number, String name, ProcessIdentity node) {
        run(inside(List.of(
                "ip", "link", "delete", name))); // that of the same node before it was killed, if it is still there
        run(inside(List.of(
                        "ip",
                        "link",
                        "add",
                        name,
                        "type",
                        "veth",
                        "peer",
                        "name",
                        "eth0",
                        "netns",
                        Long.toString(node.pid()))))
                .orThrow();
        run(inside(List.of("ip", "link", "set", name, "master", BRIDGE, "up"))).orThrow();
        var nodeNetwork = "--net=/proc/%d/ns/net".formatted(node.pid());
        for (var command : List.of(
                List.of("ip", "link", "set", "lo", "up"),
                List.of("ip", "address", "add", addresses.node(number) + "/24", "dev", "eth0"),
                List.of("ip", "link", "set", "eth0", "up"),
                List.of("ip", "route", "add", "default", "via", addresses.controlPlane()))) {
            var whole = new ArrayList<>(List.of("nsenter", nodeNetwork));
            whole.addAll(command);
            run(whole).orThrow();
        }
        var pods = List.of("ip", "route", "replace", addresses.pods(number), "via", addresses.node(number));
        run(inside(pods)).orThrow();
        run(pods).orThrow();
    }

    private void makeTheBridge() {
        for (var command : List.of(
                List.of("ip", "link", "set", "lo", "up"),
                List.of("ip", "link", "add", BRIDGE, "type", "bridge"),
                List.of("ip", "address", "add", addresses.controlPlane() + "/24", "dev", BRIDGE),
                List.of("ip", "link", "set", BRIDGE, "up"),
                // Pods of different nodes reach each other through here.
                List.of("sh", "-c", "echo 1 >/proc/sys/net/ipv4/ip_forward"))) {
            run(inside(command)).orThrow();
        }
    }

    private void joinTheHost(ProcessIdentity holder) {
        var device = addresses.device();
        run(List.of(
                        "ip",
                        "link",
                        "add",
                        device,
                        "type",
                        "veth",
                        "peer",
                        "name",
                        "host",
                        "netns",
                        Long.toString(holder.pid())))
                .orThrow();
        run(List.of("ip", "address", "add", addresses.host() + "/24", "dev", device))
                .orThrow();
        run(List.of("ip", "link", "set", device, "up")).orThrow();
        run(inside(List.of("ip", "link", "set", "host", "master", BRIDGE, "up")))
                .orThrow();
    }

    private void awaitTheEndOfTheDevice() {
        var device = Path.of("/sys/class/net", addresses.device());
        if (!Waiting.until(LIMIT, () -> !Files.exists(device))) {
            throw new WorkbenchException("the network device %s is in use, by another cluster or by something else; "
                            .formatted(addresses.device())
                    + "`ip link show " + addresses.device() + "` shows it");
        }
    }

    /** Tells this network from one that was made later. */
    String identity() {
        return holder().toString();
    }

    private ProcessIdentity holder() {
        return daemons.find(HOLDER)
                .orElseThrow(() ->
                        new WorkbenchException("the cluster's network is gone; `./stowage cluster up` makes it again"));
    }

    private static boolean hasItsOwnNetwork(ProcessIdentity process) {
        try {
            return !Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "ns/net"))
                    .equals(Files.readSymbolicLink(Path.of("/proc/self/ns/net")));
        } catch (IOException gone) {
            return false;
        }
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read " + file, failure);
        }
    }

    private static Result run(List<String> command) {
        return Programs.run(LIMIT, command);
    }
}
