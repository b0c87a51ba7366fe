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
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A node: namespaces of its own with containerd, a kubelet and kube-proxy in them, and a directory of its own. To kill its first
 * process is to pull its plug.
 */
public final class ClusterNode {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration FOR_AN_IMAGE = Duration.ofMinutes(5);

    /** Which node of which cluster. */
    record Place(int number, String name, Addresses addresses, String controlGroup) {
        String address() {
            return addresses.node(number);
        }
    }

    private final Place place;
    private final Layout layout;
    private final Tools tools;
    private final Daemons daemons;
    private final ClusterNetwork network;
    private final Path directory;
    private final NodeSettings settings;

    ClusterNode(Place place, Layout layout, Tools tools, Daemons daemons, ClusterNetwork network) {
        this.place = place;
        this.layout = layout;
        this.tools = tools;
        this.daemons = daemons;
        this.network = network;
        directory = layout.node(place.name());
        settings = new NodeSettings(layout.settings().resolve(place.name()));
    }

    public String name() {
        return place.name();
    }

    public String address() {
        return place.address();
    }

    /** The names of its processes, as `logs` and `status` have them. */
    List<String> parts() {
        return List.of(containerd(), kubelet(), proxy());
    }

    String containerd() {
        return name() + ".containerd";
    }

    String kubelet() {
        return name() + ".kubelet";
    }

    String proxy() {
        return name() + ".kube-proxy";
    }

    /** Where a part tells how it is, if it can be asked from outside of the node. */
    Optional<String> health(String part) {
        if (part.equals(kubelet())) {
            return Optional.of("http://%s:10248/healthz".formatted(address()));
        }
        return part.equals(proxy()) ? Optional.of("http://%s:10256/healthz".formatted(address())) : Optional.empty();
    }

    /** Starts what does not run: the node itself, or what is missing of it. */
    public void start() {
        ensureMachine();
        ensureInside(
                containerd(),
                List.of(
                        tools.program("containerd"),
                        "--config",
                        settings.containerd().toString()));
        await(containerd(), "answers", () -> ctr(LIMIT, "version").succeeded());
        importImages();
        startKubelet();
        ensureInside(
                proxy(),
                List.of(
                        tools.program("kube-proxy"),
                        "--config",
                        settings.proxy().toString()));
    }

    /** The node dies at once, with every process in it, as a machine does whose plug is pulled. */
    public void kill() {
        first().ifPresent(ProcessIdentity::kill);
        daemons.kill(name());
        for (var part : parts()) {
            await(part, "is gone", () -> daemons.find(part).isEmpty());
        }
    }

    /** Whether the machine is there, whatever Kubernetes thinks of it. */
    public boolean running() {
        return first().isPresent();
    }

    public void startKubelet() {
        ensureInside(
                kubelet(),
                List.of(
                        tools.program("kubelet"),
                        "--config=" + settings.kubelet(),
                        "--kubeconfig=" + layout.kubeconfig(name()),
                        "--hostname-override=" + name(),
                        "--node-ip=" + address()));
    }

    /** The kubelet ends; pods go on. */
    public void stopKubelet() {
        stopInside(kubelet());
    }

    public boolean kubeletRunning() {
        return daemons.find(kubelet()).isPresent();
    }

    public void restartKubelet() {
        stopKubelet();
        startKubelet();
    }

    /** Makes the images in an archive known to this node. */
    public void load(Path archive) {
        ctr(FOR_AN_IMAGE, "images", "import", archive.toString()).orThrow();
    }

    /** Gives an image that this node has another name. */
    public void nameImage(String existing, String name) {
        ctr(FOR_AN_IMAGE, "images", "tag", "--force", existing, name).orThrow();
    }

    /** Where this machine sees a file of the node that is below /var/lib, /var/log or /tmp. */
    public Path file(String path) {
        return directory.resolve(path.substring(1));
    }

    /** Runs a program as a user of this node would who is logged in to it as root. */
    public Result run(Duration limit, List<String> command) {
        return Programs.run(limit, inside(command), environment(), "");
    }

    private Result ctr(Duration limit, String... arguments) {
        var command = new ArrayList<>(List.of(tools.program("ctr"), "--namespace", "k8s.io"));
        command.addAll(List.of(arguments));
        return run(limit, command);
    }

    private void ensureMachine() {
        if (first().isPresent() && isConnected()) {
            return;
        }
        kill();
        var groups = new ControlGroups(layout.controlGroup());
        groups.remove(name());
        groups.ensure(name());
        settings.write(place, new Certificates(layout.certificates()), tools, layout);
        try {
            Files.createDirectories(directory);
            Files.deleteIfExists(ready());
            Files.deleteIfExists(connected());
            var script = directory.resolve("node.sh");
            try (var source = Objects.requireNonNull(ClusterNode.class.getResourceAsStream("node.sh"))) {
                Files.copy(source, script, StandardCopyOption.REPLACE_EXISTING);
            }
            daemons.ensure(
                    name(),
                    Map.of(),
                    List.of(
                            "unshare",
                            "--net",
                            "--pid",
                            "--mount",
                            "--uts",
                            "--ipc",
                            "--fork",
                            "--kill-child",
                            "--mount-proc",
                            "sh",
                            script.toString(),
                            name(),
                            directory.toString(),
                            tools.programs().toString()));
            await(name(), "is ready", () -> Files.exists(ready()));
            network.join(place.number(), name(), first().orElseThrow());
            Files.writeString(connected(), network.identity());
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot prepare the node " + name(), failure);
        }
    }

    private void importImages() {
        var imported = directory.resolve("images-imported");
        if (Files.exists(imported)) {
            return;
        }
        new Images(layout.images(), tools).ensure().forEach(this::load);
        try {
            Files.createFile(imported);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write " + imported, failure);
        }
    }

    private void ensureInside(String part, List<String> command) {
        daemons.ensure(part, environment(), inside(command));
    }

    /** What runs inside is the child of the process that is on record, which entered the namespaces for it. */
    private void stopInside(String part) {
        daemons.find(part).flatMap(ProcessIdentity::child).ifPresent(ProcessIdentity::terminate);
        if (!Waiting.until(Duration.ofSeconds(20), () -> daemons.find(part).isEmpty())) {
            daemons.find(part).flatMap(ProcessIdentity::child).ifPresent(ProcessIdentity::kill);
            await(part, "is gone", () -> daemons.find(part).isEmpty());
        }
    }

    private List<String> inside(List<String> command) {
        var first = first().orElseThrow(() ->
                new WorkbenchException("%s is not running; `./stowage cluster up` starts it".formatted(name())));
        var whole = new ArrayList<>(List.of(
                "nsenter",
                "--target",
                Long.toString(first.pid()),
                "--mount",
                "--uts",
                "--ipc",
                "--net",
                "--pid",
                "--wd=/"));
        whole.addAll(command);
        return whole;
    }

    private Map<String, String> environment() {
        return Map.of("PATH", tools.programs() + ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
    }

    private Optional<ProcessIdentity> first() {
        return daemons.find(name()).flatMap(ProcessIdentity::child);
    }

    private boolean isConnected() {
        try {
            return Files.exists(connected()) && Files.readString(connected()).equals(network.identity());
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read " + connected(), failure);
        }
    }

    private Path ready() {
        return directory.resolve("ready");
    }

    private Path connected() {
        return directory.resolve("connected");
    }

    private void await(String part, String state, BooleanSupplier reached) {
        if (!Waiting.until(LIMIT, reached)) {
            throw new WorkbenchException("waited %d s until %s %s; it says: %s"
                    .formatted(LIMIT.toSeconds(), part, state, daemons.lastWords(part)));
        }
    }
}
