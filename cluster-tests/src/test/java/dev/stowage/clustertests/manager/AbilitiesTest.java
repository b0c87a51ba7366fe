package dev.stowage.clustertests.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a driver gets by what it says that it can do. */
@NeedsCluster(nodes = 2)
@Tag("long")
class AbilitiesTest {

    private static final String CONTROLLER = """
            driverControllerTemplate:
              spec:
                terminationGracePeriodSeconds: 1
                containers:
                - name: csi-driver
                  image: %s
                  args: ["--endpoint=unix:///run/csi/csi.sock", "--nodeid=none", "--drivername=%s", "--statedir=/state", %s]
                  volumeMounts: [{name: state, mountPath: /state}]
                volumes: [{name: state, emptyDir: {}}]
            """;

    private final HostpathDeployment deployment;
    private final Managed managed;

    AbilitiesTest(Cluster cluster) {
        deployment = HostpathDeployment.prepare(cluster);
        managed = deployment.managed();
    }

    @AfterEach
    void leaveNothing() {
        deployment.close();
    }

    private void apply(String flags) {
        deployment.apply(HostpathDriver.IMAGE, CONTROLLER.formatted(HostpathDriver.IMAGE, deployment.driver(), flags));
    }

    private String attachRequired() {
        return managed.kubectl("get", "csidriver/" + deployment.driver(), "--output=jsonpath={.spec.attachRequired}");
    }

    private boolean hasResizer() {
        return managed.sidecars().contains("csi-resizer");
    }

    @Test
    void anUpgradeThatBringsAnAbilityBringsItsSidecarAndOneThatLosesItTakesItAway() {
        apply("\"--node-expand-required=false\", \"--enable-attach=false\"");
        managed.await(
                "it is known what the driver can do",
                () -> !managed.field(".status.driver.capabilities").isEmpty());
        managed.awaitAvailable();
        assertThat(managed.sidecars()).contains("csi-snapshotter", "csi-attacher");
        assertThat(hasResizer()).isFalse();
        managed.await("it need not be attached", () -> attachRequired().equals("false"));

        apply("\"--node-expand-required=true\", \"--enable-attach=true\"");
        managed.await("it has a resizer", this::hasResizer);
        managed.await("it is to be attached", () -> attachRequired().equals("true"));
        managed.awaitAvailable();

        apply("\"--node-expand-required=false\", \"--enable-attach=true\"");
        managed.await("it has none any more", () -> !hasResizer());
        managed.awaitAvailable();
    }
}
