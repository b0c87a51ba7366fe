package dev.stowage.clustertests.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The reference driver from a manifest of the kind that its users write. */
@NeedsCluster(nodes = 2)
class HostpathDriverTest {

    private final Cluster cluster;
    private final HostpathDeployment deployment;
    private final Managed managed;
    private final DriverUser user;

    HostpathDriverTest(Cluster cluster) {
        this.cluster = cluster;
        deployment = HostpathDeployment.prepare(cluster, "--rollout-deadline=60");
        managed = deployment.managed();
        user = deployment.user();
    }

    @AfterEach
    void leaveNothing() {
        deployment.close();
    }

    private void deploy(String more) {
        deployment.deploy(deployment.manifest(HostpathDriver.IMAGE, more));
    }

    @Test
    void aPodReadsBackWhatItWroteAfterEveryPartWasRestarted() {
        deploy("");
        user.start();
        user.shell("echo remembered > /data/note && sync");

        deployment.haveItRemember();
        deployment.manager().kill();
        managed.deletePods();
        cluster.nodes().getFirst().restartKubelet();
        cluster.await(deployment.node() + ".kubelet");
        deployment.manager().start();
        managed.awaitAvailable();
        managed.await(
                "the driver is registered again",
                () -> managed.field(".status.nodes[*].registered").equals("true"));
        user.assertUninterrupted();
        user.stop();
        user.start();

        assertThat(user.shell("cat /data/note")).isEqualTo("remembered\n");
        assertThat(managed.field(".status.nodes[*].name")).isEqualTo(deployment.node());
    }

    @Test
    void aTemplateThatDoesNotWorkIsTakenBackAndTheDriverGoesOn() {
        deploy("");
        deployment.awaitKnownToBeGood();

        deployment.apply("localhost/nowhere:1", "");
        managed.await(
                "it is taken back",
                () -> managed.condition("Progressing", "reason").equals("RolledBack"));
        managed.await(
                "the driver runs again",
                () -> managed.condition("Available", "status").equals("True"));
        assertThat(managed.condition("Progressing", "message")).contains(deployment.node());
        user.start();
        deployment.haveItRemember();

        deployment.apply(HostpathDriver.NEXT_IMAGE, "");
        managed.await(
                "the next version runs",
                () -> managed.condition("Progressing", "reason").equals("Settled")
                        && managed.field(".status.nodes[*].version").equals(HostpathDriver.NEXT_IMAGE));
        user.assertUninterrupted();
    }

    @Test
    void aDriverThatHoldsMountsIsNotRestartedBeforeItsNodeIsDrained() {
        deploy("holdsMounts: true");
        user.start();
        String before = driverPod();

        deployment.apply(HostpathDriver.NEXT_IMAGE, "holdsMounts: true");
        managed.await(
                "the node waits",
                () -> managed.field(".status.nodes[*].message")
                        .contains("has to be drained: pod "
                                + deployment.namespace().name() + "/user"));
        assertThat(driverPod()).isEqualTo(before);

        user.stop();
        managed.await(
                "the node is restarted",
                () -> managed.field(".status.nodes[*].version").equals(HostpathDriver.NEXT_IMAGE)
                        && managed.field(".status.nodes[*].current").equals("true"));
        managed.awaitAvailable();
        managed.await(
                "the node is open again",
                () -> cluster.kubectl()
                        .run("get", "node", deployment.node(), "--output=jsonpath={.spec.taints}")
                        .isEmpty());
        user.start();
    }

    private String driverPod() {
        return managed.kubectl(
                "get",
                "pods",
                "--selector=csidriver.storage.openshift.io/daemonset",
                "--output=jsonpath={.items[*].metadata.uid}");
    }

    @Test
    @Tag("long")
    void whateverIsDeletedByHandComesBackWhileAPodGoesOn() {
        deploy("");
        user.start();
        deployment.haveItRemember();
        for (String child : managed.children()) {
            String before = managed.identity(child);
            managed.kubectl("delete", child, "--wait=false");
            managed.await(child + " is there again", () -> !List.of("", before).contains(managed.identity(child)));
        }
        managed.awaitAvailable();

        assertThat(Integer.parseInt(managed.field(".status.drift.restored")))
                .isEqualTo(managed.children().size());
        assertThat(managed.events("Restored"))
                .contains("was changed and is restored: the object is absent instead of there");
        user.assertUninterrupted();
        user.stop();
        user.start();
    }

    @Test
    @Tag("long")
    void whateverIsEditedByHandIsPutBackAndToldOf() {
        deploy("");
        managed.kubectl(
                "patch",
                "daemonset/csi-hostpath-node",
                "--type=json",
                "--patch=[{\"op\": \"replace\", \"path\": \"/spec/template/spec/containers/0/image\", \"value\": \"localhost/other:1\"}]");
        managed.await(
                "the image is put back",
                () -> managed.kubectl(
                                "get",
                                "daemonset/csi-hostpath-node",
                                "--output=jsonpath={.spec.template.spec.containers[0].image}")
                        .equals(HostpathDriver.IMAGE));
        managed.await(
                "it is told who did it",
                () -> managed.field(".status.drift.object").contains("csi-hostpath-node")
                        && managed.field(".status.drift.by").startsWith("kubectl"));

        assertThat(managed.field(".status.drift.changes"))
                .contains("spec.template.spec.containers[csi-driver].image is localhost/other:1 instead of "
                        + HostpathDriver.IMAGE);
        assertThat(managed.events("Restored")).contains("by kubectl");

        managed.kubectl(
                "patch",
                "csidriver/" + deployment.driver(),
                "--type=merge",
                "--patch={\"spec\": {\"podInfoOnMount\": true}}");
        managed.await(
                "the CSIDriver is put back",
                () -> managed.kubectl(
                                "get", "csidriver/" + deployment.driver(), "--output=jsonpath={.spec.podInfoOnMount}")
                        .equals("false"));
        managed.awaitAvailable();
        user.start();
    }

    @Test
    @Tag("long")
    void aNamespaceThatIsRemovedTakesItsDriverWithItAndNothingElse() {
        deploy("");
        var clusterWide = managed.children().stream()
                .filter(child -> child.startsWith("csidrivers.")
                        || child.startsWith("storageclasses.")
                        || child.startsWith("clusterrole"))
                .toList();
        assertThat(clusterWide).hasSize(4);
        String others = others();

        user.release();
        deployment.namespace().close();

        assertThat(clusterWide)
                .allSatisfy(child -> managed.await(
                        child + " is gone",
                        () -> cluster.kubectl()
                                .run("get", child, "--ignore-not-found", "--output=name")
                                .isBlank()));
        assertThat(others()).isEqualTo(others);
        cluster.kubectl().createNamespace(deployment.namespace().name());
    }

    /** What somebody else has, of the kinds that a driver has. */
    private String others() {
        return cluster.kubectl()
                .run(
                        "get",
                        "csidrivers,storageclasses,clusterroles,clusterrolebindings",
                        "--selector=!csidriver.storage.openshift.io/owner-name",
                        "--output=name");
    }
}
