package dev.stowage.conformance.manager.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.manager.Kills;
import dev.stowage.conformance.manager.Lasting;
import dev.stowage.conformance.pool.Eventually;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A manager that dies with one of its writes for a client, and another that goes on; see {@link Kills}. */
class KilledAmongClientsTest {

    private static final int NODES = 2;
    /** Every change here takes more. */
    private static final int SURE_WRITES = 12;

    @RegisterExtension
    static final Lasting<ClientsPlane> PLANE = Lasting.forTheClass(ClientsPlane.class, ClientsPlane::withoutManager);

    private static void everywhere(
            Supplier<DeployedClient> beginning, Consumer<DeployedClient> change, Consumer<DeployedClient> outcome) {
        new Kills(PLANE.get().managed(), CsiValues.OPTION).everywhere(SURE_WRITES, beginning, change, deployed -> {
            outcome.accept(deployed);
            // The next one counts its own writes only.
            deployed.delete();
            assertThat(deployed.csi().traces()).isEmpty();
        });
    }

    /** Whatever was before is switched on. */
    private static DeployedClient whole() {
        PLANE.get().values().reset();
        return DeployedClient.whole(PLANE.get(), NODES);
    }

    private static void assertThatEverythingIsThere(DeployedClient deployed) {
        deployed.awaitWhole();
        assertThat(deployed.csi().driverObject().get()).isNotNull();
        assertThat(deployed.csi().storageClass().get()).isNotNull();
        assertThat(deployed.csi().direct().get()).isNotNull();
        assertThat(deployed.csi().controller().get()).isNotNull();
    }

    @Test
    void whatItWasDeployingIsThere() {
        everywhere(
                () -> DeployedClient.nothing(PLANE.get(), NODES),
                deployed -> deployed.apply(spec -> {}),
                KilledAmongClientsTest::assertThatEverythingIsThere);
    }

    @Test
    void whatItWasRenamingHasTheNewNameAndNothingOfTheOld() {
        everywhere(
                KilledAmongClientsTest::whole,
                deployed -> deployed.edit(spec -> spec.put("csiConfig", Map.of("csiDriverName", renamed(deployed)))),
                deployed -> {
                    deployed.awaitDeployed();
                    assertThat(deployed.status().csiDriverName()).isEqualTo(renamed(deployed));
                    var csi = PLANE.get().csi(renamed(deployed));
                    Eventually.assertThat(() -> {
                        assertThat(csi.nodeServers()).hasSize(NODES).allMatch(Pods::ready);
                        assertThat(csi.storageClass().get()).isNotNull();
                        assertThat(csi.direct().get()).isNotNull();
                        assertThat(csi.controller().get()).isNotNull();
                        assertThat(deployed.csi().traces()).isEmpty();
                    });
                });
    }

    private static String renamed(DeployedClient deployed) {
        return deployed.namespace() + ".example.com";
    }

    @Test
    void whatItWasSwitchingOffIsGoneAndTheClientStays() {
        everywhere(
                KilledAmongClientsTest::whole,
                deployed -> PLANE.get().values().put("installationEnabled", false),
                deployed -> {
                    deployed.awaitRefusal("Disabled");
                    Eventually.assertThat(
                            () -> assertThat(deployed.csi().traces()).isEmpty());
                    assertThat(deployed.containers()).hasSize(NODES);
                    assertThat(deployed.clientPods()).hasSize(NODES).allMatch(Pods::ready);
                    PLANE.get().values().reset();
                    assertThatEverythingIsThere(deployed);
                });
    }

    @Test
    void whatItWasRemovingIsGone() {
        everywhere(
                KilledAmongClientsTest::whole, deployed -> deployed.resource().delete(), deployed -> {
                    Eventually.assertThat(
                            () -> assertThat(deployed.resource().get()).isNull());
                    assertThat(deployed.containers()).isEmpty();
                    assertThat(deployed.clientPods()).isEmpty();
                    assertThat(deployed.csi().traces()).isEmpty();
                });
    }
}
