package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import dev.stowage.workbench.process.Waiting;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Whatever step fails, users read in the events of their claim or pod which one and why; it goes on when the cause is gone. */
@NeedsCluster(nodes = 2)
class ArrayTroubleTest {
    private static final String NOWHERE = "{\"spec\":{\"template\":{\"spec\":{\"nodeSelector\":{\"initiator\":%s}}}}}";

    private final InstalledArrays arrays;
    private final Driver driver;

    @AutoClose
    private final Workload workload;

    ArrayTroubleTest(Cluster cluster) {
        arrays = InstalledArrays.in(cluster);
        workload = Workload.in(cluster);
        driver = new Driver(cluster, InstalledArrays.RELEASE);
    }

    @AfterEach
    void behave() {
        arrays.array().misbehave("");
    }

    @Test
    void aClaimForWhichThereIsNoRoomSaysOfTheArrayWhyNotAndIsBoundWhenThereIs() {
        arrays.array().misbehave("full");
        arrays.awaitField("vpsa/array-1", "{.status.capacity.available}", "0");

        claim();

        awaitEvent("persistentvolumeclaim", "data", "array-1 is in capacity mode emergency");
        arrays.array().misbehave("");
        workload.awaitField("persistentvolumeclaim/data", "{.status.phase}", "Bound");
    }

    @Test
    void anAttachThatTheArrayRefusesIsToldAndThePodStartsWhenItDoesNot() {
        claim();
        workload.awaitField("persistentvolumeclaim/data", "{.status.phase}", "Bound");
        String volume = workload.field("persistentvolumeclaim/data", "{.spec.volumeName}");
        arrays.array().misbehave("fail 11099 on POST /api/servers/*/volumes.json");

        workload.startPod("user", "data");

        String told = awaitEvent("pod", "user", "FailedAttachVolume");
        assertThat(told).contains(volume).contains(arrays.array().address()).contains("11099");
        arrays.array().misbehave("");
        workload.awaitReady("user");
    }

    @Test
    void aNodeWithoutItsInitiatorSaysSoAndThePodStartsWhenItIsBack() {
        claim();
        initiators("\"nowhere\"", "0");
        try {
            workload.startPod("user", "data");
            assertThat(awaitEvent("pod", "user", "FailedMount")).contains("initiator");
        } finally {
            initiators("null", "2");
        }
        workload.awaitReady("user");
    }

    private void claim() {
        ClaimManifest.of("data", "1Gi").storageClass(InstalledArrays.CLASS).create(workload);
    }

    /** Where the pods of the initiator may run, and how many there are to be. */
    private void initiators(String label, String count) {
        driver.kubectl("patch", "daemonset", "arrays-initiator", "--patch=" + NOWHERE.formatted(label));
        assertThat(Waiting.until(
                        Workload.PATIENCE,
                        () -> driver.kubectl(
                                                "get",
                                                "pods",
                                                "--selector=app.kubernetes.io/component=initiator",
                                                "--field-selector=status.phase=Running",
                                                "--output=name")
                                        .lines()
                                        .count()
                                == Integer.parseInt(count)))
                .isTrue();
    }

    private String awaitEvent(String kind, String name, String expected) {
        String[] told = {""};
        boolean found = Waiting.until(Workload.PATIENCE, () -> {
            told[0] = workload.events(kind, name);
            return told[0].contains(expected);
        });
        assertThat(found)
                .as("waited for '%s', and there is: %s", expected, told[0])
                .isTrue();
        return told[0];
    }
}
