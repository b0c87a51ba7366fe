package dev.stowage.workbench.tour;

import dev.stowage.workbench.WorkbenchException;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.cluster.Images;
import dev.stowage.workbench.cluster.Layout;
import dev.stowage.workbench.cluster.Tools;
import dev.stowage.workbench.install.SourceInstallation;
import dev.stowage.workbench.story.Story;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** From nothing to a restored copy: a cluster, the chart, a pod that writes, a snapshot, a pod that reads. */
public final class KubernetesTour {
    private static final String NAMESPACE = "stowage-try";

    /** The machine's filesystem need not be able to share blocks; a pool image can. */
    private static final String VALUES = """
            local:
              pool: {imageSize: 4Gi}
            controller:
              replicas: 1
            """;

    private final Path home;
    private final Layout layout;
    private final Story story;
    private final Path directory;

    /** @param home the checkout */
    public KubernetesTour(Path home, Layout layout, Story story) {
        this.home = home;
        this.layout = layout;
        this.story = story;
        directory = home.resolve("workbench/target/try");
    }

    public void run() {
        story.say("A Kubernetes of its own on this machine, and Stowage in it.");
        story.say("");
        var cluster = Cluster.up(layout, Optional.empty(), Tools.fromEnvironment(), story);
        new SourceInstallation(home, story).install(cluster, directory, VALUES);
        story.step("a namespace for what follows", () -> {
            cluster.kubectl().run("delete", "namespace", NAMESPACE, "--ignore-not-found", "--timeout=180s");
            cluster.kubectl().createNamespace(NAMESPACE);
            return NAMESPACE;
        });
        travel(cluster);
        lookAround(cluster);
    }

    private void travel(Cluster cluster) {
        var bill = new String[1];
        story.step("a claim, and a pod that writes to it", () -> {
            apply(cluster, "writer.yaml");
            kubectl(cluster, "wait", "--for=condition=Ready", "--timeout=180s", "pod/writer");
            bill[0] = shell(cluster, "writer", "cat /data/bill");
            return "64 MiB, sha256 " + bill[0].substring(0, 12) + "…";
        });
        story.step("a snapshot, while it goes on writing", () -> {
            apply(cluster, "snapshot.yaml");
            kubectl(
                    cluster,
                    "wait",
                    "--for=jsonpath={.status.readyToUse}=true",
                    "--timeout=180s",
                    "volumesnapshot/cargo-before");
            return "shares its blocks, so it took no room";
        });
        story.step("the pod spoils what it wrote", () -> {
            shell(cluster, "writer", "echo spoilt > /data/crate && sync");
            return shell(cluster, "writer", "cat /data/crate").strip();
        });
        story.step("a restored copy, in another pod", () -> {
            apply(cluster, "reader.yaml");
            kubectl(cluster, "wait", "--for=condition=Ready", "--timeout=180s", "pod/reader");
            if (!shell(cluster, "reader", "sha256sum /data/crate").equals(bill[0])) {
                throw new WorkbenchException("the restored copy is not what was written before the snapshot");
            }
            return "every byte is there";
        });
    }

    private void lookAround(Cluster cluster) {
        story.say("");
        story.say(kubectl(cluster, "get", "pods,persistentvolumeclaims,volumesnapshots"));
        story.say(cluster.kubectl().run("get", "lpool,lvol,lsnap"));
        var option = layout.name().equals(Layout.DEFAULT_NAME) ? "" : " --name " + layout.name();
        story.say("""
                The cluster goes on. Look around:

                  export KUBECONFIG=%1$s
                  alias kubectl='%2$s/stowage cluster kubectl%3$s'        if there is no kubectl on this machine
                  kubectl get pods -A                              what runs, also Stowage itself
                  kubectl -n %4$s exec writer -- tail -f /data/log
                  kubectl -n %4$s describe pvc cargo
                  kubectl -n %4$s delete pod writer          its volume stays with the claim:
                  kubectl -n %4$s apply -f %5$s
                  kubectl describe lvol                            what the node has for each volume, and its health
                  kubectl -n stowage logs deployment/stowage-controller -c driver

                  ./stowage cluster down%3$s        takes everything away again
                """.formatted(cluster.kubeconfig(), home, option, NAMESPACE, directory.resolve("writer.yaml")));
    }

    /** Writes a manifest where its reader can find it, and applies it. */
    private void apply(Cluster cluster, String name) {
        var file = directory.resolve(name);
        try (var source = Objects.requireNonNull(KubernetesTour.class.getResourceAsStream(name), name)) {
            var manifest = new String(source.readAllBytes(), StandardCharsets.UTF_8);
            Files.writeString(file, manifest.replace("@busybox@", Images.BUSYBOX));
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write " + file, failure);
        }
        kubectl(cluster, "apply", "--filename=" + file);
    }

    private static String shell(Cluster cluster, String pod, String script) {
        return kubectl(cluster, "exec", pod, "--", "sh", "-c", script);
    }

    private static String kubectl(Cluster cluster, String... arguments) {
        var all = new ArrayList<>(List.of("--namespace=" + NAMESPACE));
        all.addAll(List.of(arguments));
        return cluster.kubectl().tryTo(all, "").orThrow();
    }
}
