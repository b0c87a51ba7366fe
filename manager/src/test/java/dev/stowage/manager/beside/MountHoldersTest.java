package dev.stowage.manager.beside;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.storage.VolumeAttachmentBuilder;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who has volumes, as it is told by lists that come in many answers. */
class MountHoldersTest {

    private static final String DRIVER = "one.example.com";
    private static final String FORMER = "former.example.com";

    private final TestingLists api = new TestingLists();
    private final MountHolders holders = new MountHolders(api.client());

    MountHoldersTest() throws IOException {}

    @AfterEach
    void close() {
        api.close();
    }

    private void volume(String name, String driver) {
        api.add(new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withNewClaimRef()
                .withNamespace("work")
                .withName(name)
                .endClaimRef()
                .withNewCsi()
                .withDriver(driver)
                .withVolumeHandle(name)
                .endCsi()
                .endSpec()
                .build());
    }

    private void pod(String name, @Nullable String node, String... volumes) {
        var pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace("work")
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .endSpec();
        for (String volume : volumes) {
            pod.editSpec()
                    .addNewVolume()
                    .withName(volume)
                    .withNewPersistentVolumeClaim(volume, false)
                    .endVolume()
                    .endSpec();
        }
        api.add(pod.build());
    }

    private void attach(String volume, String driver, String node) {
        api.add(new VolumeAttachmentBuilder()
                .withNewMetadata()
                .withName("csi-" + volume)
                .endMetadata()
                .withNewSpec()
                .withAttacher(driver)
                .withNodeName(node)
                .withNewSource()
                .withPersistentVolumeName(volume)
                .endSource()
                .endSpec()
                .build());
    }

    @Test
    void oneLookTellsOfAllNodesAndAllNamesOfADriver() {
        volume("pv-a", DRIVER);
        volume("pv-b", FORMER);
        volume("pv-c", "else.example.com");
        pod("user-a", "node-1", "pv-a", "pv-b");
        pod("user-b", "node-2", "pv-b");
        pod("user-c", "node-3", "pv-c");
        attach("pv-b", FORMER, "node-2");
        attach("pv-d", DRIVER, "node-4");

        var uses = holders.look(Set.of(DRIVER, FORMER));

        assertThat(uses.on("node-1")).containsExactly("pod work/user-a");
        assertThat(uses.on("node-2")).containsExactly("pod work/user-b", "volume pv-b is attached");
        assertThat(uses.on("node-3")).isEmpty();
        assertThat(uses.on("node-4")).containsExactly("volume pv-d is attached");
        assertThat(uses.anywhere())
                .containsExactly(
                        "pv-a (pod work/user-a on node-1)",
                        "pv-b (pod work/user-a on node-1)",
                        "pv-b on node-2",
                        "pv-d on node-4");
        assertThat(api.lists()).containsExactly("pods", "persistentvolumes", "volumeattachments");
    }

    @Test
    void aLookAtOneNodeAsksForThePodsOfThatNodeInPages() {
        holders.look(Set.of(DRIVER), "node-1");

        assertThat(api.asked().getFirst()).contains("/pods?", "spec.nodeName%3Dnode-1", "limit=");
    }

    @Test
    void whatIsInUseMayBeOfInterestOnSomeNodesOnly() {
        volume("a", DRIVER);
        volume("b", DRIVER);
        volume("c", DRIVER);
        pod("first", "node-1", "a");
        pod("second", "node-2", "b");
        pod("waiting", null, "c");

        assertThat(holders.inUse(DRIVER))
                .containsExactly(
                        "a (pod work/first on node-1)",
                        "b (pod work/second on node-2)",
                        "c (pod work/waiting on no node yet)");
        assertThat(holders.inUse(DRIVER, Set.of("node-2", "node-3"))).containsExactly("b (pod work/second on node-2)");
    }
}
