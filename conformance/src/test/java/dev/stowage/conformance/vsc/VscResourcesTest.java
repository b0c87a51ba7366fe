package dev.stowage.conformance.vsc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.conformance.cluster.ControlPlane;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.kube.vsc.Capacity;
import dev.stowage.kube.vsc.CapacityMode;
import dev.stowage.kube.vsc.VolumeFlags;
import dev.stowage.kube.vsc.VolumeType;
import dev.stowage.kube.vsc.Vpsa;
import dev.stowage.kube.vsc.VscExternalVolume;
import dev.stowage.kube.vsc.VscNode;
import dev.stowage.kube.vsc.VscResources;
import dev.stowage.kube.vsc.VscSnapshot;
import dev.stowage.kube.vsc.VscStorageClass;
import dev.stowage.kube.vsc.VscVolume;
import dev.stowage.kube.vsc.VscVolumeAttachment;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The resources of arrays on a real API server, written as the users of the original write them. */
class VscResourcesTest {

    private static final List<Class<? extends HasMetadata>> KINDS = List.of(
            VscStorageClass.class,
            Vpsa.class,
            VscNode.class,
            VscVolume.class,
            VscExternalVolume.class,
            VscVolumeAttachment.class,
            VscSnapshot.class);

    private static Workspace workspace;
    private static ControlPlane plane;
    private static KubernetesClient client;

    @BeforeAll
    static void start() {
        workspace = Workspace.create();
        plane = ControlPlane.start(workspace.directory("plane"));
        client = plane.client();
    }

    @AfterAll
    static void end() {
        plane.close();
        workspace.close();
    }

    @BeforeEach
    void apply() {
        for (var written : client.load(VscResourcesTest.class.getResourceAsStream("/vsc/user.yaml"))
                .items()) {
            client.resource(written).fieldValidation(Validation.STRICT).create();
        }
    }

    @AfterEach
    void clear() {
        edit(VscVolume.class, "pvc-1111", volume -> {
            volume.getMetadata().setFinalizers(List.of());
            return volume;
        });
        KINDS.forEach(kind -> client.resources(kind).delete());
    }

    @Test
    void whatAUserWroteIsReadFieldByField() {
        assertThat(get(VscStorageClass.class, "gold").getSpec())
                .isEqualTo(new VscStorageClass.Spec(
                        "Gold",
                        "All-flash arrays",
                        true,
                        new VolumeFlags(true, false, true, Map.of("atimeupdate", "NO"))));
        assertThat(get(Vpsa.class, "east").getSpec())
                .isEqualTo(
                        new Vpsa.Spec("gold", "East", "In the eastern room", "east.example.com", "PLAIN-TOKEN-12345"));
        assertThat(get(VscNode.class, "worker-1").getSpec())
                .isEqualTo(new VscNode.Spec(
                        "worker-1",
                        null,
                        new VscNode.Nas("10.0.0.5"),
                        new VscNode.Block("iqn.1993-08.org.debian:01:aabbccddeeff")));
        assertThat(get(VscVolume.class, "pvc-1111").getSpec())
                .isEqualTo(new VscVolume.Spec(
                        "gold",
                        "pvc-1111",
                        "claim data in namespace shop",
                        new Quantity("10Gi"),
                        VolumeType.BLOCK,
                        new VolumeFlags(false, false, true, Map.of()),
                        null));
        assertThat(get(VscExternalVolume.class, "east-archive").getSpec().size())
                .isEqualTo(new Quantity("53687091200"));
        assertThat(get(VscVolumeAttachment.class, "pvc-1111.worker-1").getSpec())
                .isEqualTo(new VscVolumeAttachment.Spec(
                        "pvc-1111", "worker-1", VscVolumeAttachment.AttachType.ISCSI, false));
        assertThat(get(VscSnapshot.class, "snapshot-2222").getSpec())
                .isEqualTo(new VscSnapshot.Spec("snapshot-2222", null, "pvc-1111"));
    }

    @Test
    void aFieldThatWeDoNotKnowIsKeptAndNotRefused() {
        client.load(new ByteArrayInputStream("""
                        apiVersion: storage.zadara.com/v1
                        kind: VPSA
                        metadata: {name: newer}
                        spec: {displayName: Newer, VSCStorageClassName: gold, colour: red}
                        """.getBytes(StandardCharsets.UTF_8)))
                .items()
                .forEach(written -> client.resource(written)
                        .fieldValidation(Validation.STRICT)
                        .create());
        edit(Vpsa.class, "newer", vpsa -> {
            vpsa.setSpec(vpsa.getSpec().withToken("AES:x"));
            return vpsa;
        });

        assertThat(client.genericKubernetesResources("storage.zadara.com/v1", "VPSA")
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
        assertThatThrownBy(() -> client.resource(volume).create())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("spec.displayName: Required value");
    }

    @Test
    void aStatusMayBeWrittenBeforeAllOfItIsKnown() {
        assertThat(get(VscVolume.class, "pvc-1111").getStatus()).isEqualTo(VscVolume.Status.NONE);

        status(VscVolume.class, "pvc-1111", VscVolume.Status.NONE.in(VscVolume.State.CREATING, null));

        assertThat(client.genericKubernetesResources("storage.zadara.com/v1", "Volume")
                        .withName("pvc-1111")
                        .get()
                        .<Map<String, Object>>get("status"))
                .isEqualTo(Map.of("state", "Creating", "VPSAID", "", "ID", "", "CGID", "", "poolID", ""));
    }

    @Test
    void aStateThatDoesNotExistIsRefused() {
        var vpsa = client.genericKubernetesResources("storage.zadara.com/v1", "VPSA")
                .withName("east")
                .get();
        vpsa.setAdditionalProperty("status", Map.of("state", "Tired"));
        assertThatThrownBy(() -> client.resource(vpsa).updateStatus())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("status.state: Unsupported value: \"Tired\"");
    }

    @Test
    void theColumnsAreThoseOfTheOriginal() {
        var capacity = new Capacity(new Quantity("2Ti"), new Quantity("1536Gi"), CapacityMode.ALERT);
        status(
                VscStorageClass.class,
                "gold",
                new VscStorageClass.Status(
                        VscStorageClass.State.READY, capacity, new VscStorageClass.Counters(1, 1, 7, 3), null));
        status(
                Vpsa.class,
                "east",
                new Vpsa.Status(
                        Vpsa.State.IMPORTING,
                        "iqn.2011-04.com.zadarastorage:east",
                        "user",
                        "AES:x",
                        null,
                        false,
                        capacity,
                        new Vpsa.Counters(1, 7, 3),
                        new Vpsa.SoftwareVersion("23.09-12"),
                        "2026-11-15T12:00:00Z",
                        null));
        var made = new VscVolume.Status(
                VscVolume.State.READY,
                "east",
                "volume-00000001",
                "cg-00000001",
                "pool-00010001",
                null,
                new VscVolume.Block(),
                null);
        status(VscVolume.class, "pvc-1111", made);
        status(VscExternalVolume.class, "east-archive", made);
        status(
                VscVolumeAttachment.class,
                "pvc-1111.worker-1",
                new VscVolumeAttachment.Status(
                        VscVolumeAttachment.State.ISCSI_LOGIN_PENDING,
                        "srv-00000001",
                        new VscVolumeAttachment.Block("iqn.t", 0, VscVolumeAttachment.Block.DISCONNECTED),
                        null,
                        null));
        status(VscSnapshot.class, "snapshot-2222", VscSnapshot.Status.NONE.in(VscSnapshot.State.TAKING_SNAPSHOT, null));

        check(
                "vscstorageclasses",
                List.of("Name", "Status", "Default", "Members", "Capacity Mode", "Age"),
                List.of("Total", "Available"),
                List.of("gold", "Ready", "true", "1", "alert", "2Ti", "1536Gi"));
        check(
                "vpsas",
                List.of("Name", "Status", "Display Name", "Capacity Mode", "VSC", "Age"),
                List.of("Hostname", "Version", "Total", "Available"),
                List.of("east", "Importing", "East", "east.example.com", "23.09-12", "alert", "2Ti", "1536Gi", "gold"));
        check(
                "vscnodes",
                List.of("Name", "IP", "IQN", "Age"),
                List.of(),
                List.of("worker-1", "10.0.0.5", "iqn.1993-08.org.debian:01:aabbccddeeff"));
        check(
                "volumes",
                List.of("Name", "Display Name", "Status", "Type", "Capacity", "VPSA", "Age"),
                List.of("VPSA Volume ID"),
                List.of("pvc-1111", "pvc-1111", "Ready", "Block", "10Gi", "east", "volume-00000001"));
        check(
                "externalvolumes",
                List.of("Name", "Type", "Capacity", "VPSA", "VPSA Volume ID", "Age"),
                List.of(),
                List.of("east-archive", "NAS", "53687091200", "east", "volume-00000001"));
        check(
                "volumeattachments",
                List.of("Name", "Status", "ISCSI", "Volume", "VSCNode", "Age"),
                List.of(),
                List.of("pvc-1111.worker-1", "ISCSILoginPending", "Disconnected", "pvc-1111", "worker-1"));
        check(
                "snapshots",
                List.of("Name", "Status", "Volume", "Age"),
                List.of(),
                List.of("snapshot-2222", "TakingSnapshot", "pvc-1111"));
    }

    @Test
    void anNfsAttachmentShowsThatItHasNoSession() {
        status(
                VscVolumeAttachment.class,
                "pvc-1111.worker-1",
                new VscVolumeAttachment.Status(
                        VscVolumeAttachment.State.READY,
                        "srv-00000001",
                        VscVolumeAttachment.Block.OF_NAS,
                        new VscVolumeAttachment.Nas(),
                        null));

        assertThat(Table.of(client, "volumeattachments").cells()).contains("N/A (NAS)");
    }

    @Test
    void theShortNamesAreThoseOfTheOriginal() {
        assertThat(definition("vscstorageclasses")).containsExactly("vscsc");
        assertThat(definition("volumeattachments")).containsExactly("vas");
    }

    private static List<String> definition(String plural) {
        return client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(plural + "." + VscResources.GROUP)
                .get()
                .getSpec()
                .getNames()
                .getShortNames();
    }

    private static void check(String resource, List<String> columns, List<String> wide, List<String> cells) {
        var table = Table.of(client, resource);
        assertThat(table.columns()).as(resource).isEqualTo(columns);
        assertThat(table.wideColumns()).as(resource).isEqualTo(wide);
        assertThat(table.cells()).as(resource).isEqualTo(cells);
    }

    private static ObjectMeta metadata(String name) {
        return new ObjectMetaBuilder().withName(name).build();
    }

    private static <T extends HasMetadata> T get(Class<T> kind, String name) {
        return client.resources(kind).withName(name).get();
    }

    private static <T extends HasMetadata> void edit(Class<T> kind, String name, UnaryOperator<T> change) {
        client.resources(kind).withName(name).edit(change);
    }

    private static <S, T extends CustomResource<?, S>> void status(Class<T> kind, String name, S status) {
        var object = get(kind, name);
        object.setStatus(status);
        client.resource(object).updateStatus();
    }
}
