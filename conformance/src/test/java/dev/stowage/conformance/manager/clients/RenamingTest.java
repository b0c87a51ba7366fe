package dev.stowage.conformance.manager.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.manager.Lasting;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.weka.WekaResources;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A driver that gets another name: what has the old one goes, whatever the new one is. */
class RenamingTest {

    @RegisterExtension
    static final Lasting<ClientsPlane> PLANE = Lasting.forTheClass(ClientsPlane.class, ClientsPlane::withManager);

    @BeforeEach
    void reset() {
        PLANE.get().values().reset();
    }

    private static String renamed(DeployedClient client) {
        return client.namespace() + ".example.com";
    }

    private static void rename(DeployedClient client) {
        client.edit(spec -> spec.put("csiConfig", Map.of("csiDriverName", renamed(client))));
    }

    private static CsiObjects renamedCsi(DeployedClient client) {
        return PLANE.get().csi(renamed(client));
    }

    private static void awaitRenamed(DeployedClient client, int nodes) {
        client.awaitDeployed();
        Eventually.assertThat(() -> {
            assertThat(client.status().csiDriverName()).isEqualTo(renamed(client));
            assertThat(renamedCsi(client).nodeServers()).hasSize(nodes).allMatch(Pods::ready);
            assertThat(renamedCsi(client).direct().get()).isNotNull();
        });
    }

    private static UsedVolume use(DeployedClient client, int node) {
        return UsedVolume.of(
                client, client.driverName(), client.node(node), PLANE.get().client());
    }

    @Test
    void whatHasTheRecordedNameGoesAndTheVolumesInUseAreListed() {
        var client = DeployedClient.whole(PLANE.get(), 2);
        var used = use(client, 2);
        var before = used.objects();

        rename(client);

        awaitRenamed(client, 2);
        Eventually.assertThat(() -> assertThat(client.csi().traces()).isEmpty());
        assertThat(client.events("CsiDriverRenamed")).singleElement().satisfies(event -> {
            assertThat(event.getType()).isEqualTo("Warning");
            assertThat(event.getMessage())
                    .contains(client.driverName(), renamed(client), used.name())
                    .doesNotContain("used-on-" + client.node(1));
        });
        assertThat(used.objects()).as("volume, claim and pod").isEqualTo(before);
    }

    @Test
    void howeverManyVolumesAreInUseAllAreListed() {
        var client = DeployedClient.whole(PLANE.get(), 1);
        var used = IntStream.rangeClosed(10, 29)
                .mapToObj(number -> UsedVolume.of(
                        client,
                        client.driverName(),
                        client.node(1),
                        "volume-%d-of-%s".formatted(number, client.namespace()),
                        PLANE.get().client()))
                .toList();

        rename(client);

        awaitRenamed(client, 1);
        var events = client.events("CsiDriverRenamed");
        assertThat(events)
                .hasSizeGreaterThan(1)
                .allSatisfy(event -> assertThat(event.getMessage())
                        .contains("volumes of %s are in use, 20 in all".formatted(client.driverName())));
        assertThat(used)
                .allSatisfy(volume -> assertThat(events)
                        .filteredOn(event -> event.getMessage().contains(" " + volume.name() + " ("))
                        .hasSize(1));
    }

    @Test
    void withoutVolumesItIsNoWarning() {
        var client = DeployedClient.whole(PLANE.get(), 1);

        rename(client);

        awaitRenamed(client, 1);
        Eventually.assertThat(() -> assertThat(client.events("CsiDriverRenamed"))
                .singleElement()
                .satisfies(event -> assertThat(event.getType()).isEqualTo("Normal")));
    }

    @Test
    void aRenamingWhileNoManagerRunsIsFoundByTheNext() {
        var client = DeployedClient.whole(PLANE.get(), 1);

        PLANE.get().stopManager();
        rename(client);
        PLANE.get().startManager();

        awaitRenamed(client, 1);
        Eventually.assertThat(() -> assertThat(client.csi().traces()).isEmpty());
    }

    @Test
    void switchedOffWhileNoManagerRunsAndRenamedItIsStillTheRecordedNameThatGoes() {
        var client = DeployedClient.whole(PLANE.get(), 1);

        PLANE.get().stopManager();
        rename(client);
        PLANE.get().values().put("installationEnabled", false);
        PLANE.get().startManager();

        client.awaitRefusal("Disabled");
        Eventually.assertThat(() -> {
            assertThat(client.csi().traces()).isEmpty();
            assertThat(renamedCsi(client).traces()).isEmpty();
        });
        PLANE.get().values().reset();
        awaitRenamed(client, 1);
    }

    @Test
    void thereAndBackAgainIsAsBefore() {
        var client = DeployedClient.whole(PLANE.get(), 1);

        rename(client);
        client.edit(spec -> spec.remove("csiConfig"));

        Eventually.assertThat(() -> {
            assertThat(client.status().csiDriverName()).isEqualTo(client.driverName());
            assertThat(renamedCsi(client).traces()).isEmpty();
        });
        client.awaitWhole();
    }

    @Test
    void aNodeServerMayStayUntilTheLastVolumeOnItsNodeIsUnmounted() {
        PLANE.get().values().put("keepNodeServerUntilUnmounted", true);
        var client = DeployedClient.whole(PLANE.get(), 2);
        var used = use(client, 2);
        String former = uid(formerServers(client, 2));

        rename(client);

        Eventually.assertThat(() -> {
            assertThat(serversOf(client, renamed(client), 1)).hasSize(1);
            assertThat(formerServers(client, 1)).isEmpty();
            assertThat(client.csi().controller().get()).isNull();
        });
        assertThat(uid(formerServers(client, 2))).isEqualTo(former);
        Eventually.assertThat(() -> {
            assertThat(serversOf(client, renamed(client), 2))
                    .as("beside it")
                    .hasSize(1)
                    .allMatch(Pods::ready);
            assertThat(DeployedClient.message(client.container(client.node(2)).orElseThrow(), "CsiNodeServer"))
                    .contains(client.driverName());
        });

        used.unmount();

        Eventually.assertThat(() -> assertThat(formerServers(client, 2)).isEmpty());
        awaitRenamed(client, 2);
        Eventually.assertThat(() -> assertThat(client.csi().traces()).isEmpty());
    }

    @Test
    void aNodeServerThatStaysForAVolumeStaysWhileTheValuesCannotBeRead() {
        PLANE.get().values().put("keepNodeServerUntilUnmounted", true);
        var client = DeployedClient.whole(PLANE.get(), 1);
        var used = use(client, 1);
        String former = uid(formerServers(client, 1));
        rename(client);
        awaitRenamed(client, 1);

        PLANE.get().values().write("{installationEnabled: ");
        Eventually.assertThat(() -> assertThat(client.reason("CsiDeployed")).isEqualTo("InvalidConfiguration"));
        PLANE.get().stopManager();
        PLANE.get().startManager();
        Eventually.assertThat(() -> assertThat(PLANE.get()
                        .managed()
                        .manager()
                        .figures()
                        .sum("stowage_manager_reconciles_total", "name=\"wekaclients\""))
                .as("passes over everything that there is")
                .isGreaterThan(10));
        assertThat(uid(formerServers(client, 1))).isEqualTo(former);

        PLANE.get().values().reset();
        PLANE.get().values().put("keepNodeServerUntilUnmounted", true);
        used.unmount();
        Eventually.assertThat(() -> assertThat(client.csi().traces()).isEmpty());
    }

    @Test
    void switchedOffNoNodeServerStays() {
        PLANE.get().values().put("keepNodeServerUntilUnmounted", true);
        var client = DeployedClient.whole(PLANE.get(), 2);
        use(client, 1);

        PLANE.get().values().put("installationEnabled", false);

        client.awaitRefusal("Disabled");
        Eventually.assertThat(() -> assertThat(client.csi().traces()).isEmpty());
    }

    private static List<Pod> formerServers(DeployedClient client, int node) {
        return serversOf(client, client.driverName(), node);
    }

    private static List<Pod> serversOf(DeployedClient client, String driver, int node) {
        String container = client.namespace() + "/client-" + client.node(node);
        return PLANE.get().csi(driver).nodeServers().stream()
                .filter(pod ->
                        container.equals(pod.getMetadata().getAnnotations().get(WekaResources.CONTAINER)))
                .toList();
    }

    private static String uid(List<Pod> one) {
        assertThat(one).hasSize(1);
        return one.getFirst().getMetadata().getUid();
    }
}
