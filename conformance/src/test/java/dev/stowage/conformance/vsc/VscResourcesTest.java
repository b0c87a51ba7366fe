package dev.stowage.conformance.vsc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.kube.vsc.VolumeFlags;
import dev.stowage.kube.vsc.VolumeType;
import dev.stowage.kube.vsc.Vpsa;
import dev.stowage.kube.vsc.VscExternalVolume;
import dev.stowage.kube.vsc.VscNode;
import dev.stowage.kube.vsc.VscSnapshot;
import dev.stowage.kube.vsc.VscStorageClass;
import dev.stowage.kube.vsc.VscVolume;
import dev.stowage.kube.vsc.VscVolumeAttachment;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The resources of arrays on a real API server, written as the users of the original write them. */
class VscResourcesTest {

    private static UserResources resources;

    @BeforeAll
    static void start() {
        resources = new UserResources();
    }

    @AfterAll
    static void end() {
        resources.close();
    }

    @BeforeEach
    void apply() {
        resources.apply();
    }

    @AfterEach
    void clear() {
        resources.clear();
    }

    @Test
    void whatAUserWroteIsReadFieldByField() {
        assertThat(resources.get(VscStorageClass.class, "gold").getSpec())
                .isEqualTo(new VscStorageClass.Spec(
                        "Gold",
                        "All-flash arrays",
                        true,
                        new VolumeFlags(true, false, true, Map.of("atimeupdate", "NO"))));
        assertThat(resources.get(Vpsa.class, "east").getSpec())
                .isEqualTo(
                        new Vpsa.Spec("gold", "East", "In the eastern room", "east.example.com", "PLAIN-TOKEN-12345"));
        assertThat(resources.get(VscNode.class, "worker-1").getSpec())
                .isEqualTo(new VscNode.Spec(
                        "worker-1",
                        null,
                        new VscNode.Nas("10.0.0.5"),
                        new VscNode.Block("iqn.1993-08.org.debian:01:aabbccddeeff")));
        assertThat(resources.get(VscVolume.class, "pvc-1111").getSpec())
                .isEqualTo(new VscVolume.Spec(
                        "gold",
                        "pvc-1111",
                        "claim data in namespace shop",
                        new Quantity("10Gi"),
                        VolumeType.BLOCK,
                        new VolumeFlags(false, false, true, Map.of()),
                        null));
        assertThat(resources
                        .get(VscExternalVolume.class, "east-archive")
                        .getSpec()
                        .size())
                .isEqualTo(new Quantity("53687091200"));
        assertThat(resources.get(VscVolumeAttachment.class, "pvc-1111.worker-1").getSpec())
                .isEqualTo(new VscVolumeAttachment.Spec(
                        "pvc-1111", "worker-1", VscVolumeAttachment.AttachType.ISCSI, false));
        assertThat(resources.get(VscSnapshot.class, "snapshot-2222").getSpec())
                .isEqualTo(new VscSnapshot.Spec("snapshot-2222", null, "pvc-1111"));
    }

    @Test
    void aFieldThatWeDoNotKnowIsKeptAndNotRefused() {
        resources.apply(new ByteArrayInputStream("""
                        apiVersion: storage.zadara.com/v1
                        kind: VPSA
                        metadata: {name: newer}
                        spec: {displayName: Newer, VSCStorageClassName: gold, colour: red}
                        """.getBytes(StandardCharsets.UTF_8)));
        resources.edit(Vpsa.class, "newer", vpsa -> {
            vpsa.setSpec(vpsa.getSpec().withToken("AES:x"));
            return vpsa;
        });

        assertThat(resources
                        .client()
                        .genericKubernetesResources("storage.zadara.com/v1", "VPSA")
                        .withName("newer")
                        .get()
                        .<Map<String, Object>>get("spec"))
                .containsEntry("colour", "red")
                .containsEntry("token", "AES:x");
    }

    @Test
    void whatIsRequiredIsAskedFor() {
        var volume = new VscVolume();
        volume.setMetadata(metadata("pvc-2"));
        volume.setSpec(new VscVolume.Spec("gold", "", null, new Quantity("1Gi"), VolumeType.NAS, null, null));
        assertThatThrownBy(() -> resources.client().resource(volume).create())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("spec.displayName: Required value");
    }

    @Test
    void aStatusMayBeWrittenBeforeAllOfItIsKnown() {
        assertThat(resources.get(VscVolume.class, "pvc-1111").getStatus()).isEqualTo(VscVolume.Status.NONE);

        resources.status(VscVolume.class, "pvc-1111", VscVolume.Status.NONE.in(VscVolume.State.CREATING, null));

        assertThat(resources
                        .client()
                        .genericKubernetesResources("storage.zadara.com/v1", "Volume")
                        .withName("pvc-1111")
                        .get()
                        .<Map<String, Object>>get("status"))
                .isEqualTo(Map.of("state", "Creating", "VPSAID", "", "ID", "", "CGID", "", "poolID", ""));
    }

    @Test
    void aStateThatDoesNotExistIsRefused() {
        var vpsa = resources
                .client()
                .genericKubernetesResources("storage.zadara.com/v1", "VPSA")
                .withName("east")
                .get();
        vpsa.setAdditionalProperty("status", Map.of("state", "Tired"));
        assertThatThrownBy(() -> resources.client().resource(vpsa).updateStatus())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("status.state: Unsupported value: \"Tired\"");
    }

    private static ObjectMeta metadata(String name) {
        return new ObjectMetaBuilder().withName(name).build();
    }
}
