package dev.stowage.clustertests.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.clustertests.TestNamespace;
import dev.stowage.workbench.cluster.Cluster;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A driver that is to go while a pod writes to a volume of it. */
@NeedsCluster(nodes = 2)
class RemovedDriverTest {

    /** The first line is about the class: whether the driver would still delete the volume is a matter of moments. */
    private static final String PROTECTED = """
              reclaimPolicy: Retain
            protectVolumes: true
            """;

    private final HostpathDeployment deployment;
    private final TestNamespace namespace;
    private final String driver;
    private final Managed managed;
    private final DriverUser user;

    RemovedDriverTest(Cluster cluster) {
        deployment = HostpathDeployment.prepare(cluster);
        namespace = deployment.namespace();
        driver = deployment.driver();
        managed = deployment.managed();
        user = deployment.user();
    }

    @AfterEach
    void leaveNothing() {
        deployment.close();
    }

    private String manifest(String more) {
        return deployment.manifest(HostpathDriver.IMAGE, more);
    }

    /** @return the volume that a pod writes to */
    private String deployWithUser(String manifest) {
        deployment.deploy(manifest);
        user.start();
        return user.volume();
    }

    private void assertGone(List<String> children) {
        assertThat(children)
                .isNotEmpty()
                .allSatisfy(
                        child -> assertThat(managed.identity(child)).as(child).isEmpty());
    }

    @Test
    void aProtectedDriverStaysAndIsLookedAfterUntilItsVolumeIsDetached() {
        String volume = deployWithUser(HostpathDriver.attaching(manifest(PROTECTED)));
        String blocker = volume + " on " + deployment.node();
        var children = managed.children();

        managed.kubectl("delete", managed.object(), "--wait=false");
        managed.await(
                "the removal waits for the volume",
                () -> managed.field(".status.blockers[*]").equals(blocker));
        managed.await("that is told", () -> managed.events("DeletionWaits").endsWith(": " + blocker));
        String before = managed.identity("storageclass/" + driver);
        managed.kubectl("delete", "storageclass/" + driver);
        managed.await(
                "what is deleted comes back",
                () -> !List.of("", before).contains(managed.identity("storageclass/" + driver)));
        assertThat(children)
                .allSatisfy(
                        child -> assertThat(managed.identity(child)).as(child).isNotEmpty());
        user.assertUninterrupted();

        namespace.kubectl("delete", "persistentvolumeclaim/user", "--wait=false");
        user.stop();
        managed.kubectl("wait", "--for=delete", managed.object(), "--timeout=180s");
        assertGone(children);
        assertThat(managed.events("VolumesAttached")).isEmpty();
        forget(volume);
    }

    /** An attacher takes its mark off a volume when that is deleted, and here there is none any more. */
    private void forget(String volume) {
        managed.kubectl(
                "patch",
                "persistentvolume/" + volume,
                "--type=merge",
                "--patch={\"metadata\": {\"finalizers\": null}}");
        managed.kubectl("delete", "persistentvolume/" + volume, "--timeout=120s");
    }

    @Test
    void aDriverThatIsNotProtectedGoesAtOnceAndThePodWritesOnUntilItIsBack() {
        String volume = deployWithUser(manifest(""));
        deployment.haveItRemember();
        var children = managed.children();

        managed.delete();

        assertGone(children);
        namespace.kubectl(
                "wait",
                "--for=delete",
                "pods",
                "--selector=csidriver.storage.openshift.io/owner-name",
                "--timeout=120s");
        assertThat(managed.events("VolumesAttached"))
                .endsWith(": %s (pod %s/user on %s)".formatted(volume, namespace.name(), deployment.node()));
        user.assertUninterrupted();

        namespace.apply(manifest(""));
        managed.awaitAvailable();
        user.assertUninterrupted();
        user.stop();
    }
}
