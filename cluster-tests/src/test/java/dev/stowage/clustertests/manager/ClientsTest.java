package dev.stowage.clustertests.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.clustertests.TestNamespace;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.cluster.ClusterNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A driver that follows the clients of a storage cluster, on three nodes, while pods write to its volumes. {@code -Dstowage.switches=20}
 * switches it off and on so often.
 */
@NeedsCluster(nodes = 3, alone = true)
class ClientsTest {

    private static final String RENAMED = "csi.other-group.weka.io";
    private static final int SWITCHES = Integer.getInteger("stowage.switches", 1);

    private final Cluster cluster;
    private final ManagerOnHost manager;
    private final InstalledClients clients;
    private final TestNamespace namespace;
    private final List<String> nodes;
    private final List<DriverUser> users = new ArrayList<>();

    ClientsTest(Cluster cluster) {
        this.cluster = cluster;
        clients = InstalledClients.install(cluster);
        manager = ManagerOnHost.start(cluster, InstalledClients.option());
        namespace = new TestNamespace(cluster);
        nodes = cluster.nodes().stream().map(ClusterNode::name).sorted().toList();
        label(nodes.get(0));
        label(nodes.get(1));
        clients.waitingClass(InstalledClients.DRIVER);
        clients.client("");
        clients.awaitOn(InstalledClients.DRIVER, nodes.subList(0, 2));
    }

    private void label(String node) {
        clients.kubectl("label", "node", node, InstalledClients.LABEL + "=yes", "--overwrite");
    }

    private DriverUser writer(String name, String node) {
        var user = new DriverUser(namespace, name, InstalledClients.CLASS);
        user.claim("64Mi");
        user.start(node);
        users.add(user);
        return user;
    }

    @AfterEach
    void leaveNothing() {
        namespace.kubectl("delete", "pods,persistentvolumeclaims", "--all", "--timeout=180s");
        namespace.close();
        clients.close();
        manager.close();
    }

    @Test
    void theDriverFollowsTheClientsWhileNodesComeAndGo() {
        writer("first", nodes.get(0));
        writer("second", nodes.get(1));
        String third = nodes.get(2);

        label(third);
        clients.awaitOn(InstalledClients.DRIVER, nodes);
        var guest = writer("third", third);
        clients.kubectl("taint", "node", third, "dedicated=other:NoSchedule");
        clients.awaitOn(InstalledClients.DRIVER, nodes.subList(0, 2));
        users.forEach(DriverUser::assertUninterrupted);
        clients.kubectl("taint", "node", third, "dedicated-");
        clients.awaitOn(InstalledClients.DRIVER, nodes);
        users.remove(guest);
        long written = guest.count();
        // It takes the client and the node server as well, which come back and let the volume go.
        clients.kubectl("drain", third, "--ignore-daemonsets", "--delete-emptydir-data", "--force", "--timeout=180s");
        clients.awaitOn(InstalledClients.DRIVER, nodes);
        clients.kubectl("uncordon", third);
        guest.start(third);
        guest.assertUninterrupted();
        assertThat(guest.count()).isGreaterThan(written);
        guest.stop();
        clients.kubectl("delete", "node", third, "--timeout=120s");
        clients.awaitOn(InstalledClients.DRIVER, nodes.subList(0, 2));
        joinAgain(third);
        label(third);
        clients.awaitOn(InstalledClients.DRIVER, nodes);
        namespace.kubectl("delete", "persistentvolumeclaim", "third", "--timeout=180s");
        clients.kubectl("label", "node", third, InstalledClients.LABEL + "-");
        clients.awaitOn(InstalledClients.DRIVER, nodes.subList(0, 2));

        users.forEach(DriverUser::assertUninterrupted);
        assertThat(clients.accessible(nodes.get(0))).isTrue();
        assertThat(clients.accessible(third)).isFalse();
    }

    @Test
    void aClientThatRunsAndDoesNotWorkKeepsNewVolumesAwayAndDisturbsNobody() {
        var user = writer("first", nodes.get(0));
        clients.await("volumes can be used", () -> clients.accessible(nodes.get(0)));

        clients.hurt(nodes.get(0));
        clients.await("no new ones can be", () -> !clients.accessible(nodes.get(0)));
        assertThat(clients.accessible(nodes.get(1))).isTrue();
        assertThat(clients.nodesWithServers(InstalledClients.DRIVER)).isEqualTo(nodes.subList(0, 2));
        user.assertUninterrupted();

        clients.heal(nodes.get(0));
        clients.await("they can be again", () -> clients.accessible(nodes.get(0)));
        user.assertUninterrupted();
    }

    @Test
    void aPodWritesOnWhileAllThatServesItsVolumeIsDeletedOrMadeAnew() {
        var user = writer("first", nodes.get(0));
        var before = clients.identities(InstalledClients.DRIVER);

        clients.deleteObjects(InstalledClients.DRIVER);
        clients.await(
                "everything is there again",
                () -> clients.identities(InstalledClients.DRIVER).stream().noneMatch(before::contains)
                        && clients.identities(InstalledClients.DRIVER).size() == before.size());
        clients.awaitOn(InstalledClients.DRIVER, nodes.subList(0, 2));
        user.assertUninterrupted();

        clients.client("csiConfig: {advanced: {nodeLabels: {tier: storage}}}");
        clients.await(
                "the node servers are made anew",
                () -> clients.labelled(InstalledClients.DRIVER, "tier=storage").equals(nodes.subList(0, 2)));
        clients.awaitOn(InstalledClients.DRIVER, nodes.subList(0, 2));
        user.assertUninterrupted();

        clients.deleteClient();
        assertThat(clients.nodesWithContainers()).isEmpty();
        clients.await(
                "everything is gone",
                () -> clients.objects(InstalledClients.DRIVER).isEmpty());
        user.assertUninterrupted();

        clients.client("");
        clients.awaitOn(InstalledClients.DRIVER, nodes.subList(0, 2));
        user.assertUninterrupted();
        user.stop();
        user.start(nodes.get(0));
        user.assertUninterrupted();
    }

    private void joinAgain(String name) {
        cluster.nodes().stream().filter(node -> node.name().equals(name)).forEach(ClusterNode::restartKubelet);
        cluster.awaitReady(name);
    }

    @Test
    void theCommandsOfTheManualPrintWhatItSays() {
        assertThat(clients.status(".csiDeployed")).isEqualTo("true");
        assertThat(lines("storageclasses", "weka-io"))
                .containsExactly("storageclass-csi-weka-io-local", "storageclass-csi-weka-io-local-mountdirect");
        assertThat(lines("deployments", "csi-controller")).containsExactly("csi-weka-io-csi-controller");
        assertThat(lines("pods", "csi-node"))
                .containsExactly("clients-" + nodes.get(0) + "-csi-node", "clients-" + nodes.get(1) + "-csi-node");
    }

    /** As {@code kubectl get KIND | grep TEXT} prints them. */
    private List<String> lines(String kind, String text) {
        return clients.kubectl("get", kind, "--namespace=" + InstalledClients.NAMESPACE, "--no-headers")
                .lines()
                .map(line -> line.split("\\s+")[0])
                .filter(name -> name.contains(text))
                .sorted()
                .toList();
    }

    @Test
    @Tag("long")
    void underAnotherNameTheFormerNodeServerStaysUntilItsLastVolumeIsUnmounted() {
        var user = writer("first", nodes.get(0));
        clients.configure(true, true);

        clients.client("csiConfig: {csiGroup: otherGroup}");
        clients.await(
                "the new driver is there",
                () -> clients.status(".csiDriverName").equals(RENAMED)
                        && clients.nodesWithServers(RENAMED).equals(nodes.subList(0, 2)));
        assertThat(clients.nodesWithServers(InstalledClients.DRIVER)).containsExactly(nodes.get(0));
        user.assertUninterrupted();
        assertTold(user, nodes.get(0));
        clients.waitingClass(RENAMED);
        var later = writer("later", nodes.get(1));
        String written = user.shell("cat /data/count");
        user.stop();
        clients.await(
                "nothing is left of the former driver",
                () -> clients.objects(InstalledClients.DRIVER).isEmpty());

        later.assertUninterrupted();
        later.stop();
        clients.client("csiConfig: {}");
        clients.awaitOn(InstalledClients.DRIVER, nodes.subList(0, 2));
        user.start(nodes.get(0));
        assertThat(user.shell("cat /data/count")).startsWith(written);
        clients.client("csiConfig: {csiGroup: otherGroup}");
        clients.await(
                "the other driver can remove its volume",
                () -> clients.nodesWithServers(RENAMED).equals(nodes.subList(0, 2)));
        namespace.kubectl("delete", "persistentvolumeclaim", "later", "--timeout=180s");
        clients.client("csiConfig: {}");
        clients.awaitOn(InstalledClients.DRIVER, nodes.subList(0, 2));
    }

    /** That it has a volume of the former driver. */
    private void assertTold(DriverUser user, String node) {
        assertThat(clients.kubectl(
                        "get",
                        "events",
                        "--namespace=" + InstalledClients.NAMESPACE,
                        "--field-selector=reason=CsiDriverRenamed",
                        "--output=jsonpath={.items[*].message}"))
                .contains(RENAMED)
                .contains("pod " + namespace.name() + "/" + user.name() + " on " + node);
    }

    @Test
    @Tag("long")
    void underAnotherNameAVolumeIsWrittenToAlsoWhenItsNodeServerIsNotKept() {
        var user = writer("first", nodes.get(0));

        clients.client("csiConfig: {csiGroup: otherGroup}");
        clients.awaitOn(RENAMED, nodes.subList(0, 2));
        clients.await(
                "nothing is left of the former driver",
                () -> clients.objects(InstalledClients.DRIVER).isEmpty());
        user.assertUninterrupted();
        assertTold(user, nodes.get(0));

        clients.client("csiConfig: {}");
        clients.awaitOn(InstalledClients.DRIVER, nodes.subList(0, 2));
        user.assertUninterrupted();
        user.stop();
        user.start(nodes.get(0));
        user.assertUninterrupted();
    }

    @Test
    @Tag("long")
    void switchedOffAndOnInALoopWhileManagersAreKilled() {
        var user = writer("first", nodes.get(0));
        UnaryOperator<String> identity = kind -> clients.kubectl(
                "get", kind, "--namespace=" + namespace.name(), "--output=jsonpath={.items[*].metadata.uid}");
        String claims = identity.apply("persistentvolumeclaims");
        String volumes = identity.apply("persistentvolumes");

        for (int round = 0; round < SWITCHES; round++) {
            clients.configure(false, false);
            manager.kill();
            manager.start();
            clients.await(
                    "everything is gone",
                    () -> clients.objects(InstalledClients.DRIVER).isEmpty());
            assertThat(clients.nodesWithContainers()).isEqualTo(nodes.subList(0, 2));
            user.assertUninterrupted();
            clients.configure(true, false);
            manager.kill();
            manager.start();
            clients.awaitOn(InstalledClients.DRIVER, nodes.subList(0, 2));
        }

        user.assertUninterrupted();
        assertThat(List.of(identity.apply("persistentvolumeclaims"), identity.apply("persistentvolumes")))
                .isEqualTo(List.of(claims, volumes));
        user.stop();
        user.start(nodes.get(0));
        assertThat(user.shell("cat /data/count").lines().collect(Collectors.toList()))
                .isNotEmpty();
    }
}
