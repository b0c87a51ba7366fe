package dev.stowage.clustertests.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.image.ImageUnderTest;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.cluster.Images;
import dev.stowage.workbench.process.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A WekaClient in a cluster, whose driver is ours with the storage of the nodes, and the values that it is deployed by. */
record InstalledClients(Cluster cluster) implements AutoCloseable {

    /** As in the examples. */
    static final String NAMESPACE = "stowage-drivers";

    static final String LABEL = "weka.stowage.dev/client";
    static final String DRIVER = "csi.weka.io";
    /** A class of every driver that is used here: a volume comes to the node of its pod. */
    static final String CLASS = "beside-clients";

    /** A client that has this file does not work. */
    private static final String UNWELL = "/tmp/unwell";

    private static final String KINDS =
            "csidrivers,storageclasses,deployments,pods,serviceaccounts,roles,rolebindings,clusterroles,clusterrolebindings";

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String VALUES = "default/stowage-weka";

    /** The manager's option. */
    static String option() {
        return "--weka-config=" + VALUES;
    }

    static InstalledClients install(Cluster cluster) {
        var installed = new InstalledClients(cluster);
        for (String folder : List.of("weka", "local")) {
            installed.kubectl(
                    "apply",
                    "--server-side",
                    "--filename=" + ImageUnderTest.home().resolve("charts/stowage/files/crds/" + folder));
        }
        String rights = example("clients-local-rights.yaml");
        cluster.kubectl().apply(rights);
        // The same for the name that the driver gets later.
        cluster.kubectl()
                .apply(rights.replace("clients-local-controller}", "clients-other-controller}")
                        .replace("csi-weka-io-csi", "csi-other-group-weka-io-csi"));
        installed.configure(true, false);
        return installed;
    }

    private static String example(String name) {
        try {
            return Files.readString(
                    ImageUnderTest.home().resolve("docs/examples").resolve(name));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Changes the values, while the manager runs. */
    void configure(boolean enabled, boolean keep) {
        String text = example("clients-local-values.yaml");
        String values = text.substring(text.indexOf("\ncsi:\n") + "\ncsi:\n".length())
                .replace("installationEnabled: true", "installationEnabled: " + enabled)
                .replace("stowage.dev/stowage:0.1.0", ImageUnderTest.NAME);
        cluster.kubectl().apply("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: stowage-weka, namespace: default}
                data:
                  csi.yaml: |
                    keepNodeServerUntilUnmounted: %s
                    controllerReplicas: 1
                    provisionerImage: localhost/csi-provisioner:1
                    resizerImage: localhost/csi-resizer:1
                    snapshotterImage: localhost/csi-snapshotter:1
                %s
                """.formatted(keep, values.indent(2)));
    }

    /** @param more lines of the spec */
    void client(String more) {
        cluster.kubectl().apply("""
                apiVersion: weka.weka.io/v1alpha1
                kind: WekaClient
                metadata: {name: clients, namespace: %s}
                spec:
                  image: %s
                  port: 14000
                  agentPort: 14100
                  nodeSelector: {%s: "yes"}
                  readinessProbe: {exec: {command: [test, "!", -e, %s]}, periodSeconds: 1, failureThreshold: 1}
                  %s
                """.formatted(NAMESPACE, Images.AGNHOST, LABEL, UNWELL, more));
    }

    /** The client on a node runs, and says that it does not work. */
    void hurt(String node) {
        inClient(node, "touch", UNWELL);
    }

    void heal(String node) {
        inClient(node, "rm", UNWELL);
    }

    private void inClient(String node, String... command) {
        var all = new ArrayList<>(List.of("exec", "--namespace=" + NAMESPACE, "clients-" + node, "--"));
        all.addAll(List.of(command));
        kubectl(all.toArray(String[]::new));
    }

    /** Whether volumes of the first driver can be used on a node, by what its labels say. */
    boolean accessible(String node) {
        return kubectl(
                        "get",
                        "node",
                        node,
                        "--output=jsonpath={.metadata.labels.topology\\.csi\\.weka\\.io/accessible}")
                .equals("true");
    }

    /** A class whose volumes wait for their pod. */
    void waitingClass(String driver) {
        kubectl("delete", "storageclass", CLASS, "--ignore-not-found");
        cluster.kubectl().apply("""
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: %s}
                provisioner: %s
                volumeBindingMode: WaitForFirstConsumer
                """.formatted(CLASS, driver));
    }

    String kubectl(String... arguments) {
        return cluster.kubectl().run(arguments);
    }

    private String list(String kind, String selector, String path) {
        return kubectl(
                "get", kind, "--all-namespaces", "--selector=" + selector, "--output=jsonpath={.items[*]" + path + "}");
    }

    private static List<String> words(String text) {
        return Stream.of(text.split("\\s+"))
                .filter(word -> !word.isEmpty())
                .sorted()
                .toList();
    }

    /** The nodes that have a node server of a driver. */
    List<String> nodesWithServers(String driver) {
        return words(list("pods", "weka.io/mode=csi_node," + ofDriver(driver), ".spec.nodeName"));
    }

    /** The nodes that have a node server with a label. */
    List<String> labelled(String driver, String label) {
        return words(list("pods", "weka.io/mode=csi_node," + ofDriver(driver) + "," + label, ".spec.nodeName"));
    }

    List<String> nodesWithContainers() {
        return words(kubectl(
                "get", "wekacontainers", "--all-namespaces", "--output=jsonpath={.items[*].spec.nodeAffinity}"));
    }

    /** All CSI objects of a driver, of whatever kind. */
    List<String> objects(String driver) {
        return words(list(KINDS, ofDriver(driver), ".metadata.name"));
    }

    /** Tells them from later ones of the same names. */
    List<String> identities(String driver) {
        return words(list(KINDS, ofDriver(driver), ".metadata.uid"));
    }

    /** By the hand of an administrator. Each is looked for in the namespace of the driver, where it has one. */
    void deleteObjects(String driver) {
        kubectl("delete", KINDS, "--namespace=" + NAMESPACE, "--selector=" + ofDriver(driver), "--wait=false");
    }

    private static String ofDriver(String driver) {
        return "weka.io/csi-driver-name=" + driver;
    }

    String status(String path) {
        return kubectl(
                "get", "wekaclient/clients", "--namespace=" + NAMESPACE, "--output=jsonpath={.status" + path + "}");
    }

    /** Every node of these has a client and a node server that is ready, and no other has. */
    void awaitOn(String driver, List<String> nodes) {
        await(
                "clients and servers of " + driver + " on " + nodes,
                () -> nodesWithContainers().equals(nodes)
                        && nodesWithServers(driver).equals(nodes)
                        && status(".csiDeployed").equals("true")
                        && status(".csiDriverName").equals(driver)
                        && status(".printer.containers").equals(nodes.size() + "/" + nodes.size())
                        && ready(driver));
    }

    private boolean ready(String driver) {
        var ready = words(list("pods", ofDriver(driver), ".status.conditions[?(@.type==\"Ready\")].status"));
        return !ready.isEmpty() && ready.stream().allMatch("True"::equals);
    }

    void await(String what, BooleanSupplier condition) {
        assertThat(Waiting.until(PATIENCE, condition))
                .as(() -> what + "\n" + described())
                .isTrue();
    }

    private String described() {
        var all = new ArrayList<String>();
        all.add(kubectl("get", "wekaclients,wekacontainers", "--all-namespaces", "--output=yaml"));
        all.add(kubectl("get", "pods", "--namespace=" + NAMESPACE, "--output=wide"));
        all.add(kubectl("describe", "pods", "--namespace=" + NAMESPACE));
        try (var logs = Files.newDirectoryStream(cluster.layout().state(), "manager-*.log")) {
            for (var log : logs) {
                all.add(Files.readString(log));
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return String.join("\n", all);
    }

    void deleteClient() {
        kubectl("delete", "wekaclients", "--all", "--namespace=" + NAMESPACE, "--timeout=180s");
    }

    @Override
    public void close() {
        deleteClient();
        for (var node : cluster.nodes()) {
            kubectl("label", "node", node.name(), LABEL + "-", "--overwrite");
        }
        kubectl("delete", "namespace", NAMESPACE, "--timeout=180s");
        kubectl("delete", "storageclass", CLASS, "--ignore-not-found");
    }
}
