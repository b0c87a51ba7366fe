package dev.stowage.conformance.vsc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.vsc.Capacity;
import dev.stowage.kube.vsc.CapacityMode;
import dev.stowage.kube.vsc.Vpsa;
import dev.stowage.kube.vsc.VscExternalVolume;
import dev.stowage.kube.vsc.VscResources;
import dev.stowage.kube.vsc.VscSnapshot;
import dev.stowage.kube.vsc.VscStorageClass;
import dev.stowage.kube.vsc.VscVolume;
import dev.stowage.kube.vsc.VscVolumeAttachment;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@code kubectl get} shows of the resources of arrays. */
class ColumnsTest {

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
    void theColumnsAreThoseOfTheOriginal() {
        var capacity = new Capacity(new Quantity("2Ti"), new Quantity("1536Gi"), CapacityMode.ALERT);
        resources.status(
                VscStorageClass.class,
                "gold",
                new VscStorageClass.Status(
                        VscStorageClass.State.READY, capacity, new VscStorageClass.Counters(1, 1, 7, 3), null));
        resources.status(
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
        resources.status(VscVolume.class, "pvc-1111", made);
        resources.status(VscExternalVolume.class, "east-archive", made);
        resources.status(
                VscVolumeAttachment.class,
                "pvc-1111.worker-1",
                new VscVolumeAttachment.Status(
                        VscVolumeAttachment.State.ISCSI_LOGIN_PENDING,
                        "srv-00000001",
                        new VscVolumeAttachment.Block("iqn.t", 0, VscVolumeAttachment.Block.DISCONNECTED),
                        null,
                        null));
        resources.status(
                VscSnapshot.class,
                "snapshot-2222",
                VscSnapshot.Status.NONE.in(VscSnapshot.State.TAKING_SNAPSHOT, null));

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
        resources.status(
                VscVolumeAttachment.class,
                "pvc-1111.worker-1",
                new VscVolumeAttachment.Status(
                        VscVolumeAttachment.State.READY,
                        "srv-00000001",
                        VscVolumeAttachment.Block.OF_NAS,
                        new VscVolumeAttachment.Nas(),
                        null));

        assertThat(Table.of(resources.client(), "volumeattachments").cells()).contains("N/A (NAS)");
    }

    @Test
    void theShortNamesAreThoseOfTheOriginal() {
        assertThat(definition("vscstorageclasses")).containsExactly("vscsc");
        assertThat(definition("volumeattachments")).containsExactly("vas");
    }

    private static List<String> definition(String plural) {
        return resources
                .client()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(plural + "." + VscResources.GROUP)
                .get()
                .getSpec()
                .getNames()
                .getShortNames();
    }

    private static void check(String resource, List<String> columns, List<String> wide, List<String> cells) {
        var table = Table.of(resources.client(), resource);
        assertThat(table.columns()).as(resource).isEqualTo(columns);
        assertThat(table.wideColumns()).as(resource).isEqualTo(wide);
        assertThat(table.cells()).as(resource).isEqualTo(cells);
    }
}
