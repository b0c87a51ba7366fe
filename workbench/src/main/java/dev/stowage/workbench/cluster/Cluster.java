package dev.stowage.workbench.cluster;

import dev.stowage.workbench.WorkbenchException;
import dev.stowage.workbench.process.Daemons;
import dev.stowage.workbench.process.Waiting;
import dev.stowage.workbench.story.Story;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A Kubernetes on this machine that is running, or was. It goes on when the process ends that started it. */
public final class Cluster {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Layout layout;
    private final ClusterRecord record;
    private final Daemons daemons;
    private final ClusterNetwork network;
    private final ControlPlane controlPlane;
    private final List<ClusterNode> nodes;

    private Cluster(Layout layout, ClusterRecord record) {
        this.layout = layout;
        this.record = record;
        var addresses = new Addresses(record.network());
        daemons = new Daemons(layout.state());
        network = new ClusterNetwork(addresses, daemons);
        controlPlane = new ControlPlane(addresses, layout, record.tools(), daemons, network);
        var groups = new ControlGroups(layout.controlGroup());
        nodes = IntStream.rangeClosed(1, record.nodes())
                .mapToObj(number -> {
                    var name = "node-" + number;
                    var place = new ClusterNode.Place(number, name, addresses, groups.of(name));
                    return new ClusterNode(place, layout, record.tools(), daemons, network);
                })
                .toList();
    }

    /** The cluster, if it was started and not taken down. */
    public static Optional<Cluster> find(Layout layout) {
        return ClusterRecord.read(layout).map(record -> new Cluster(layout, record));
    }

    /**
     * Starts a cluster, or what is missing of it.
     *
     * @param nodes how many it has to have; a running one may get more, and none keeps what there is
     */
    public static Cluster up(Layout layout, Optional<Integer> nodes, Tools tools, Story story) {
        try (var lock = ClusterLock.take(layout, story)) {
            var record = decide(layout, nodes, tools, story);
            var cluster = new Cluster(layout, record);
            if (ClusterRecord.read(layout).filter(record::equals).isPresent() && cluster.healthy()) {
                story.say("  the cluster %s is up, with %d nodes".formatted(layout.name(), record.nodes()));
                return cluster;
            }
            record.write(layout);
            cluster.start(story);
            return cluster;
        }
    }

    /** Takes a cluster away, in whatever state it is. */
    public static void down(Layout layout, Story story) {
        try (var lock = ClusterLock.take(layout, story)) {
            var leftovers = new Leftovers(layout);
            story.step("end its processes", () -> {
                leftovers.endProcesses();
                return "and with the nodes' first ones everything in them";
            });
            story.step("take everything away", () -> {
                leftovers.removeDevices();
                leftovers.removeControlGroups();
                leftovers.detachLoopDevices();
                leftovers.removeFiles();
                lock.remove();
                var left = leftovers.list();
                if (!left.isEmpty()) {
                    throw new WorkbenchException(
                            "of the cluster %s is left: %s".formatted(layout.name(), String.join(", ", left)));
                }
                return "no process, mount, network device, control group or file is left";
            });
        }
    }

    private static ClusterRecord decide(Layout layout, Optional<Integer> nodes, Tools tools, Story story) {
        var existing = ClusterRecord.read(layout);
        if (existing.isEmpty()) {
            return begin(layout, nodes.orElse(1), tools, story);
        }
        int present = existing.get().nodes();
        int wanted = nodes.orElse(present);
        if (wanted < present) {
            throw new WorkbenchException(
                    "the cluster %s has %d nodes and cannot shrink to %d; take it down first, or start another with --name"
                            .formatted(layout.name(), present, wanted));
        }
        return existing.get().withNodes(wanted);
    }

    /** Chooses a network and puts that on record, before anybody else chooses. */
    static ClusterRecord begin(Layout layout, int nodes, Tools tools, Story story) {
        try (var lock = ClusterLock.takeNetworks(layout, story)) {
            var promised = layout.siblings().stream()
                    .map(ClusterRecord::read)
                    .flatMap(Optional::stream)
                    .map(ClusterRecord::network)
                    .collect(Collectors.toSet());
            var record = new ClusterRecord(nodes, ClusterNetwork.findFree(promised), tools);
            record.write(layout);
            return record;
        }
    }

    private void start(Story story) {
        story.step("certificates and settings", () -> {
            controlPlane.ensureIdentities(nodes);
            return "in " + layout.state();
        });
        story.step("network", () -> {
            network.ensure(layout.state().resolve("network"), new Leftovers(layout)::endProcesses);
            return new Addresses(record.network()).machines();
        });
        story.step("etcd and API server", () -> {
            controlPlane.startEtcd();
            controlPlane.startApiServer();
            await(ControlPlane.API_SERVER);
            return controlPlane.server();
        });
        story.step("controllers and scheduler", () -> {
            kubectl().apply(Roles.manifest());
            controlPlane.startControllerManager();
            controlPlane.startScheduler();
            return "started";
        });
        story.step("containerd and kubelet on " + (nodes.size() == 1 ? "a node" : nodes.size() + " nodes"), () -> {
            startNodes();
            return "each in namespaces of its own";
        });
        story.step("snapshot API", () -> {
            controlPlane.startSnapshots(kubectl());
            return "snapshots and group snapshots";
        });
        story.step("ready", () -> {
            nodes.forEach(node -> awaitReady(node.name()));
            status().forEach(part -> await(part.part()));
            kubectl().awaitRoomForPods("default");
            return "all parts answer, all nodes are Ready";
        });
    }

    private void startNodes() throws InterruptedException, ExecutionException {
        new Images(layout.images(), record.tools()).ensure();
        try (var executor = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().name("node-start-", 0).factory())) {
            var starts =
                    nodes.stream().map(node -> executor.submit(node::start)).toList();
            for (var start : starts) {
                start.get();
            }
        }
    }

    /** Waits until Kubernetes counts on a node. */
    public void awaitReady(String node) {
        kubectl().run("wait", "--for=create", "--timeout=120s", "node/" + node);
        kubectl().run("wait", "--for=condition=Ready", "--timeout=180s", "node/" + node);
    }

    /** Waits until a part answers that it is well. One that has ended will not. */
    public void await(String part) {
        Waiting.until(
                PATIENCE, () -> status(part).healthy() || daemons.find(part).isEmpty());
        var status = status(part);
        if (!status.healthy()) {
            throw new WorkbenchException("%s %s. The end of %s:%n%s"
                    .formatted(part, status.words(), daemons.log(part), daemons.lastWords(part)));
        }
    }

    public String name() {
        return layout.name();
    }

    public Layout layout() {
        return layout;
    }

    public ControlPlane controlPlane() {
        return controlPlane;
    }

    public List<ClusterNode> nodes() {
        return nodes;
    }

    /** The address by which nodes and pods reach this machine. */
    public String host() {
        return new Addresses(record.network()).host();
    }

    /** The file with which a client becomes the administrator. */
    public Path kubeconfig() {
        return layout.kubeconfig();
    }

    public Kubectl kubectl() {
        return new Kubectl(record.tools(), layout);
    }

    public Tools tools() {
        return record.tools();
    }

    /** Makes the images in an archive known to every node. */
    public void load(Path archive) {
        nodes.forEach(node -> node.load(archive));
    }

    public boolean healthy() {
        return status().stream().allMatch(PartStatus::healthy);
    }

    /** How every part is. */
    public List<PartStatus> status() {
        return parts().stream().map(this::status).toList();
    }

    /** The names of the parts, each of which has a log. */
    public List<String> parts() {
        var parts = new ArrayList<>(ControlPlane.PARTS);
        nodes.forEach(node -> parts.addAll(node.parts()));
        return parts;
    }

    public Path log(String part) {
        if (!parts().contains(part)) {
            throw new WorkbenchException("the cluster %s has no part \"%s\"; it has %s"
                    .formatted(layout.name(), part, String.join(", ", parts())));
        }
        return daemons.log(part);
    }

    private PartStatus status(String part) {
        var process = daemons.find(part);
        if (process.isEmpty()) {
            return new PartStatus(part, false, "is not running");
        }
        if (ControlPlane.PARTS.contains(part)) {
            return ask(part, controlPlane.health(part));
        }
        var node = nodes.stream()
                .filter(each -> each.parts().contains(part))
                .findFirst()
                .orElseThrow();
        return node.health(part)
                .map(address -> ask(part, address))
                .orElseGet(() -> new PartStatus(part, true, "running"));
    }

    private PartStatus ask(String part, String address) {
        try (var check = new HealthCheck(new Certificates(layout.certificates()).authority())) {
            return check.ask(part, address);
        }
    }
}
