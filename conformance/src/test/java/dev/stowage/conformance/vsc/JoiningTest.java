package dev.stowage.conformance.vsc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.arrayapi.NewVolume;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.vsc.CapacityMode;
import dev.stowage.kube.vsc.Vpsa;
import dev.stowage.kube.vsc.VscExternalVolume;
import dev.stowage.kube.vsc.VscSnapshot;
import dev.stowage.kube.vsc.VscStorageClass;
import io.fabric8.kubernetes.api.model.Event;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An array becomes a member of a class, or says why it cannot. */
class JoiningTest {

    private VscCluster cluster;

    @BeforeEach
    void start() {
        cluster = VscCluster.start();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void aClassIsReadyWhileItIsEmptyAndTheSumOfItsMembersAfterwards() {
        cluster.storageClass("gold", true);
        Eventually.assertThat(() -> assertThat(
                        cluster.get(VscStorageClass.class, "gold").getStatus().state())
                .isEqualTo(VscStorageClass.State.READY));
        var array = cluster.array("array-1");

        cluster.join(array, "gold");

        var vpsa = cluster.awaitState("array-1", Vpsa.State.READY);
        assertThat(vpsa.getStatus().counters()).isEqualTo(new Vpsa.Counters(1, 0, 0));
        assertThat(vpsa.getStatus().version()).isEqualTo(new Vpsa.SoftwareVersion("24.03"));
        var capacity = Objects.requireNonNull(vpsa.getStatus().capacity());
        assertThat(capacity.mode()).isEqualTo(CapacityMode.NORMAL);
        Eventually.assertThat(() -> {
            var status = cluster.get(VscStorageClass.class, "gold").getStatus();
            assertThat(status.counters()).isEqualTo(new VscStorageClass.Counters(1, 1, 0, 0));
            assertThat(Objects.requireNonNull(status.capacity()).total()).isEqualTo(capacity.total());
        });
        assertThat(cluster.events("VPSA", "array-1"))
                .extracting(Event::getReason)
                .contains("Configuring", "Importing", "Ready");
    }

    @Test
    void tokensAndChapSecretsAreEncryptedInPlaceAndNowhereInPlain() throws IOException {
        cluster.storageClass("gold", true);
        var array = cluster.array("array-1");

        cluster.join(array, "gold");

        var vpsa = cluster.awaitState("array-1", Vpsa.State.READY);
        String chap = array.client().controller().orElseThrow().chapSecret();
        assertThat(vpsa.getSpec().token()).startsWith("AES:");
        assertThat(vpsa.getStatus().chapSecret()).startsWith("AES:");
        assertThat(cluster.log()).doesNotContain(RunningArray.TOKEN).doesNotContain(chap);
        assertThat(cluster.events("VPSA", "array-1").toString())
                .doesNotContain(RunningArray.TOKEN)
                .doesNotContain(chap);
    }

    @Test
    void anArrayThatIsTooOldIsIncompatibleAndSaysWhy() {
        cluster.storageClass("gold", true);
        var array = cluster.array("array-1", "--software-version", "20.05");

        cluster.join(array, "gold");

        var vpsa = cluster.awaitState("array-1", Vpsa.State.INCOMPATIBLE);
        assertThat(vpsa.getStatus().message()).contains("20.05").contains("20.12-sp2");
    }

    @Test
    void whatIsWrongWithReachingAnArrayIsToldAndHealsByItself() {
        cluster.storageClass("gold", true);
        var array = cluster.array("array-1");

        cluster.join("array-1", array.hostname(), "gold", "wrong-token");
        assertThat(cluster.awaitState("array-1", Vpsa.State.UNREACHABLE)
                        .getStatus()
                        .message())
                .contains("access key");
        cluster.client().resources(Vpsa.class).withName("array-1").edit(vpsa -> {
            vpsa.setSpec(vpsa.getSpec().withToken(RunningArray.TOKEN));
            return vpsa;
        });
        cluster.awaitState("array-1", Vpsa.State.READY);

        array.stop();
        assertThat(cluster.awaitState("array-1", Vpsa.State.UNREACHABLE)
                        .getStatus()
                        .message())
                .containsIgnoringCase("connection refused");
        array.startAgain();
        cluster.awaitState("array-1", Vpsa.State.READY);
        assertThat(cluster.events("VPSA", "array-1"))
                .extracting(Event::getReason)
                .contains("Unreachable", "Ready");
    }

    @Test
    void anArrayOfAClassThatIsNotThereFailsUntilItIs() {
        var array = cluster.array("array-1");

        cluster.join(array, "gold");
        assertThat(cluster.awaitState("array-1", Vpsa.State.FAILED).getStatus().message())
                .contains("VSCStorageClass gold")
                .contains("create it");

        cluster.storageClass("gold", true);
        cluster.awaitState("array-1", Vpsa.State.READY);
    }

    @Test
    void whatWasOnAnArrayBeforeBecomesKnownAndIsLeftAlone() {
        cluster.storageClass("gold", true);
        var array = cluster.array("array-1");
        var before = array.client();
        String pool = before.pools().getFirst().id();
        String id = before.createVolume(new NewVolume("payroll", 2, pool, true, Map.of()));
        String group = before.volume(id).orElseThrow().group();
        String snapshot = before.createSnapshot(group, "monday");
        var there = before.volume(id);

        cluster.join(array, "gold");
        cluster.awaitState("array-1", Vpsa.State.READY);

        var external = cluster.get(VscExternalVolume.class, "array-1-" + id);
        assertThat(external.getSpec().displayName()).isEqualTo("payroll");
        assertThat(external.getStatus().id()).isEqualTo(id);
        var known = cluster.get(VscSnapshot.class, "array-1-" + snapshot);
        assertThat(known.getSpec().volumeId()).isEqualTo("array-1-" + id);
        assertThat(array.client().volume(id)).isEqualTo(there);

        cluster.client().resource(external).delete();
        cluster.client().resource(known).delete();
        Eventually.assertThat(() -> assertThat(cluster.get(VscExternalVolume.class, "array-1-" + id))
                .isNull());
        Eventually.assertThat(() -> assertThat(cluster.get(VscSnapshot.class, "array-1-" + snapshot))
                .isNull());
        assertThat(array.client().volume(id)).isEqualTo(there);
        assertThat(array.client().snapshot(snapshot)).isPresent();
    }

    @Test
    void anArrayThatLeavesTakesWhatWasBroughtInWithItAndKeepsItsData() {
        cluster.storageClass("gold", false);
        var array = cluster.array("array-1");
        var before = array.client();
        String id = before.createVolume(
                new NewVolume("payroll", 2, before.pools().getFirst().id(), true, Map.of()));
        cluster.join(array, "gold");
        cluster.awaitState("array-1", Vpsa.State.READY);

        cluster.client().resources(Vpsa.class).withName("array-1").delete();

        Eventually.assertThat(
                () -> assertThat(cluster.get(Vpsa.class, "array-1")).isNull());
        assertThat(cluster.client().resources(VscExternalVolume.class).list().getItems())
                .isEmpty();
        assertThat(array.client().volume(id)).isPresent();
        cluster.client().resources(VscStorageClass.class).withName("gold").delete();
        Eventually.assertThat(
                () -> assertThat(cluster.get(VscStorageClass.class, "gold")).isNull());
    }
}
