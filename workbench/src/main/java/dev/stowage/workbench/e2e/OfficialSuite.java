package dev.stowage.workbench.e2e;

import dev.stowage.workbench.Environment;
import dev.stowage.workbench.WorkbenchException;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.cluster.Layout;
import dev.stowage.workbench.cluster.Tools;
import dev.stowage.workbench.install.Installation;
import dev.stowage.workbench.install.SourceInstallation;
import dev.stowage.workbench.story.Story;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.regex.Pattern;

/** A run of the official suite from nothing: cluster, image, chart, specs, verdict. */
public final class OfficialSuite {
    /**
     * The pool shares blocks whatever the machine's filesystem, because snapshots of volumes in use need that. It promises much
     * and holds little: the suite's volumes are nearly empty. The limit is one that a test can reach.
     *
     * <p>When a change of a volume is refused, the stock resizer 1.14 says so in a condition of the claim, and takes that back with its
     * next write, a hundredth of a second later. The suite looks for the condition every two seconds. So the resizer writes slowly.
     */
    private static final String VALUES = """
            local:
              attachLimit: 60
              pool: {imageSize: 8Gi, overcommit: "40.0"}
            sidecars:
              resizer:
                extraArguments: [--kube-api-qps=2, --kube-api-burst=1, --retry-interval-max=5s]
            """;

    private final Path home;
    private final Layout layout;
    private final int nodes;
    private final Story story;
    private final Path lists;
    private final Path directory;

    /** @param home the checkout */
    public OfficialSuite(Path home, Layout layout, int nodes, Story story) {
        this.home = home;
        this.layout = layout;
        this.nodes = nodes;
        this.story = story;
        lists = home.resolve("e2e");
        directory = home.resolve("workbench/target/e2e");
    }

    /**
     * Whether all was as expected.
     *
     * @param only which specs, by their names; all if empty
     * @param keep whether to leave the cluster there
     * @param record whether to change the expectations to what is seen
     */
    public boolean run(Optional<Pattern> only, int processes, boolean keep, boolean record) {
        try {
            prepareDirectory();
            var cluster = Cluster.up(layout, Optional.of(nodes), Tools.fromEnvironment(), story);
            new SourceInstallation(home, story).install(cluster, directory, VALUES);
            var leftOut = leftOut(cluster);
            var specs = runSpecs(cluster, only, processes, record);
            return new Verdict(specs, Expectations.read(lists), leftOut, only.isEmpty()).print(System.out, directory);
        } finally {
            if (keep) {
                story.say("  the cluster is left there; `./stowage cluster down --name %s` takes it away"
                        .formatted(layout.name()));
            } else {
                Cluster.down(layout, story);
            }
        }
    }

    private void prepareDirectory() {
        try {
            Files.createDirectories(directory);
        } catch (IOException failure) {
            throw new WorkbenchException("cannot make %s: %s".formatted(directory, failure.getMessage()), failure);
        }
    }

    /** What the driver can do, and the suite is not told. */
    private SortedSet<String> leftOut(Cluster cluster) {
        var controller = cluster.kubectl()
                .run(
                        "get",
                        "pods",
                        "--namespace=" + Installation.NAMESPACE,
                        "--selector=app.kubernetes.io/component=controller",
                        "--field-selector=status.phase=Running",
                        "--output=jsonpath={.items[0].spec.nodeName} {.items[0].metadata.uid}")
                .split(" ");
        var node = cluster.nodes().stream()
                .filter(each -> each.name().equals(controller[0]))
                .findFirst()
                .orElseThrow();
        var declared = DeclaredCapabilities.ofController(node.file(
                "/var/lib/kubelet/pods/%s/volumes/kubernetes.io~empty-dir/csi/csi.sock".formatted(controller[1])));
        declared.addAll(DeclaredCapabilities.ofNode(node.file("/var/lib/kubelet/plugins/local.stowage.dev/csi.sock")));
        return DeclaredCapabilities.leftOut(declared, description());
    }

    private List<Spec> runSpecs(Cluster cluster, Optional<Pattern> only, int processes, boolean record) {
        cluster.kubectl().apply(read("smallest-claim.yaml"));
        try (var login = new NodeLogin(cluster.nodes(), cluster.host(), directory)) {
            var suite = new Suite(
                    directory,
                    Map.of(
                            "KUBE_TEST_REPO_LIST",
                                    SuiteImages.writeRegistries(directory).toString(),
                            "KUBE_SSH_KEY_PATH", login.key().toString(),
                            "KUBE_SSH_USER", "root"));
            story.step("images of the suite", () -> {
                var populator = Environment.path("STOWAGE_HELLO_POPULATOR");
                return SuiteImages.provide(cluster, suite.images(), populator, directory) + " names";
            });
            var chosen = new LinkedHashMap<Pass, List<Spec>>();
            for (var pass : Pass.all()) {
                var specs = suite.specs(pass, only, options(cluster, pass));
                if (!specs.isEmpty()) {
                    chosen.put(pass, specs);
                }
            }
            if (chosen.isEmpty()) {
                throw new WorkbenchException("no spec about external storage matches --focus");
            }
            var results = new ArrayList<Spec>();
            chosen.forEach((pass, specs) -> {
                int atATime = pass.alone() ? 1 : processes;
                story.say("  %s: %d specs, %d at a time".formatted(pass.name(), specs.size(), atATime));
                var seen = suite.run(pass, specs, atATime, options(cluster, pass), System.err);
                results.addAll(seen);
                if (record) {
                    // After each pass, so that what comes later cannot lose it.
                    Expectations.read(lists).changedTo(seen).write(lists);
                }
            });
            return results;
        }
    }

    private List<String> options(Cluster cluster, Pass pass) {
        var file = directory.resolve(pass.name() + ".yaml");
        try {
            Files.writeString(file, pass.description(description()));
        } catch (IOException failure) {
            throw new WorkbenchException("cannot write %s: %s".formatted(file, failure.getMessage()), failure);
        }
        return List.of(
                "--kubeconfig=" + cluster.kubeconfig(),
                "--provider=local",
                "--kubectl-path=" + cluster.tools().program("kubectl"),
                "--repo-root=" + lists,
                "--num-nodes=" + nodes,
                "--storage.testdriver=" + file);
    }

    private String description() {
        return read("testdriver.yaml");
    }

    private String read(String name) {
        var file = lists.resolve(name);
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new WorkbenchException("cannot read %s: %s".formatted(file, failure.getMessage()), failure);
        }
    }
}
