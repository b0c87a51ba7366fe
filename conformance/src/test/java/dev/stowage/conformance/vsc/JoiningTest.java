package dev.stowage.conformance.vsc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.arrayapi.NewVolume;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.vsc.CapacityMode;
import dev.stowage.kube.vsc.Vpsa;
import dev.stowage.kube.vsc.VscExternalVolume;
import dev.stowage.kube.vsc.VscSnapshot;
import dev.stowage.kube.vsc.VscStorageClass;
import io.fabric8.kubernetes.api.model.Event;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An array becomes a member of a class, or says why it cannot. */
class JoiningTest {

    private static VscCluster cluster;
    private static int number;

    /** A class and an array of each test's own. */
    private final String gold = "gold-" + ++number;

    private final String name = "array-" + number;

    @BeforeAll
    static void start() {
        cluster = VscCluster.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void endArrays() {
        cluster.endArrays();
    }

    @Test
    void aClassIsReadyWhileItIsEmptyAndTheSumOfItsMembersAfterwards() {
        cluster.storageClass(gold, false);
        Eventually.assertThat(() -> assertThat(
                        cluster.get(VscStorageClass.class, gold).getStatus().state())
                .isEqualTo(VscStorageClass.State.READY));
        var array = cluster.array(name);

        cluster.join(array, gold);

        var vpsa = cluster.awaitState(name, Vpsa.State.READY);
        assertThat(vpsa.getStatus().counters()).isEqualTo(new Vpsa.Counters(1, 0, 0));
        assertThat(vpsa.getStatus().version()).isEqualTo(new Vpsa.SoftwareVersion("24.03"));
        var capacity = Objects.requireNonNull(vpsa.getStatus().capacity());
        assertThat(capacity.mode()).isEqualTo(CapacityMode.NORMAL);
        Eventually.assertThat(() -> {
            var status = cluster.get(VscStorageClass.class, gold).getStatus();
            assertThat(status.counters()).isEqualTo(new VscStorageClass.Counters(1, 1, 0, 0));
            assertThat(Objects.requireNonNull(status.capacity()).total()).isEqualTo(capacity.total());
        });
        assertThat(cluster.events("VPSA", name))
                .extracting(Event::getReason)
                .contains("Configuring", "Importing", "Ready");
    }

    @Test
    void tokensAndChapSecretsAreEncryptedInPlaceAndNowhereInPlain() throws IOException {
        cluster.storageClass(gold, false);
        var array = cluster.array(name);

        cluster.join(array, gold);

        var vpsa = cluster.awaitState(name, Vpsa.State.READY);
        String chap = array.client().controller().orElseThrow().chapSecret();
        assertThat(vpsa.getSpec().token()).startsWith("AES:");
        assertThat(vpsa.getStatus().chapSecret()).startsWith("AES:");
        assertThat(cluster.log()).doesNotContain(RunningArray.TOKEN).doesNotContain(chap);
        assertThat(cluster.events("VPSA", name).toString())
                .doesNotContain(RunningArray.TOKEN)
                .doesNotContain(chap);
    }

    @Test
    void anArrayThatIsTooOldIsIncompatibleAndSaysWhy() {
        cluster.storageClass(gold, false);
        var array = cluster.array(name, "--software-version", "20.05");

        cluster.join(array, gold);

        var vpsa = cluster.awaitState(name, Vpsa.State.INCOMPATIBLE);
        assertThat(vpsa.getStatus().message()).contains("20.05").contains("20.12-sp2");
    }

    @Test
    void whatIsWrongWithReachingAnArrayIsToldAndHealsByItself() {
        cluster.storageClass(gold, false);
        var array = cluster.array(name);

        cluster.join(name, array.hostname(), gold, "wrong-token");
        assertThat(cluster.awaitState(name, Vpsa.State.UNREACHABLE).getStatus().message())
                .contains("access key");
        cluster.edit(Vpsa.class, name, vpsa -> vpsa.setSpec(vpsa.getSpec().withToken(RunningArray.TOKEN)));
        cluster.awaitState(name, Vpsa.State.READY);

        array.stop();
        assertThat(cluster.awaitState(name, Vpsa.State.UNREACHABLE).getStatus().message())
                .containsIgnoringCase("connection refused");
        array.startAgain();
        cluster.awaitState(name, Vpsa.State.READY);
        assertThat(cluster.events("VPSA", name)).extracting(Event::getReason).contains("Unreachable", "Ready");
    }

    @Test
    void anArrayOfAClassThatIsNotThereFailsUntilItIs() {
        var array = cluster.array(name);

        cluster.join(array, gold);
        assertThat(cluster.awaitState(name, Vpsa.State.FAILED).getStatus().message())
                .contains("VSCStorageClass " + gold)
                .contains("create it");

        cluster.storageClass(gold, false);
        cluster.awaitState(name, Vpsa.State.READY);
    }

    @Test
    void whatWasOnAnArrayBeforeBecomesKnownAndIsLeftAlone() {
        cluster.storageClass(gold, false);
        var array = cluster.array(name);
        var before = array.client();
        String pool = before.pools().getFirst().id();
        String id = before.createVolume(new NewVolume("payroll", 2, pool, true, Map.of()));
        String group = before.volume(id).orElseThrow().group();
        String snapshot = before.createSnapshot(group, "monday");
        var there = before.volume(id);

        cluster.join(array, gold);
        cluster.awaitState(name, Vpsa.State.READY);

        var external = cluster.get(VscExternalVolume.class, name + "-" + id);
        assertThat(external.getSpec().displayName()).isEqualTo("payroll");
        assertThat(external.getStatus().id()).isEqualTo(id);
        var known = cluster.get(VscSnapshot.class, name + "-" + snapshot);
        assertThat(known.getSpec().volumeId()).isEqualTo(name + "-" + id);
        assertThat(array.client().volume(id)).isEqualTo(there);

        cluster.client().resource(external).delete();
        cluster.client().resource(known).delete();
        Eventually.assertThat(() -> assertThat(cluster.get(VscExternalVolume.class, name + "-" + id))
                .isNull());
        Eventually.assertThat(() -> assertThat(cluster.get(VscSnapshot.class, name + "-" + snapshot))
                .isNull());
        assertThat(array.client().volume(id)).isEqualTo(there);
        assertThat(array.client().snapshot(snapshot)).isPresent();
    }

    @Test
    void anArrayThatLeavesTakesWhatWasBroughtInWithItAndKeepsItsData() {
        cluster.storageClass(gold, false);
        var array = cluster.array(name);
        var before = array.client();
        String id = before.createVolume(
                new NewVolume("payroll", 2, before.pools().getFirst().id(), true, Map.of()));
        cluster.join(array, gold);
        cluster.awaitState(name, Vpsa.State.READY);

        cluster.client().resources(Vpsa.class).withName(name).delete();

        Eventually.assertThat(() -> assertThat(cluster.get(Vpsa.class, name)).isNull());
        assertThat(cluster.get(VscExternalVolume.class, name + "-" + id)).isNull();
        assertThat(array.client().volume(id)).isPresent();
        cluster.client().resources(VscStorageClass.class).withName(gold).delete();
        Eventually.assertThat(
                () -> assertThat(cluster.get(VscStorageClass.class, gold)).isNull());
    }

    @Test
    void aPoolThatWouldFillUpToItsLastByteIsGivenAnEmergencyModeUnlessItHasOne() {
        cluster.storageClass(gold, false);
        var careless = cluster.array(name, "--capacity", "150Gi");
        var careful = cluster.array(name + "-careful", "--capacity", "150Gi");
        careful.client().protect(careful.client().pools().getFirst().id(), 5);

        cluster.join(careless, gold);
        cluster.join(careful, gold);

        cluster.awaitState(careless.name(), Vpsa.State.READY);
        cluster.awaitState(careful.name(), Vpsa.State.READY);
        assertThat(careless.client().pools().getFirst().emergencyBytes()).hasValue(2 * VscCluster.GIB);
        assertThat(careful.client().pools().getFirst().emergencyBytes()).hasValue(5 * VscCluster.GIB);
        assertThat(cluster.events("VPSA", careless.name()))
                .filteredOn(event -> event.getReason().equals("Configured"))
                .singleElement()
                .satisfies(event -> assertThat(event.getMessage()).contains("emergency mode with 2 GiB left"));
        assertThat(cluster.events("VPSA", careful.name()))
                .extracting(Event::getReason)
                .doesNotContain("Configured");
    }

    @Test
    void anArrayWhoseCertificateIsNotTrustedIsUnreachableUntilItIs() {
        cluster.storageClass(gold, false);
        Path certificate = cluster.workspace().root().resolve("tls.crt");
        Path key = cluster.workspace().root().resolve("tls.key");
        Workspace.run(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=array",
                "-addext",
                "subjectAltName=IP:127.0.0.1",
                "-keyout",
                key.toString(),
                "-out",
                certificate.toString());
        var array = cluster.array(name, "--tls-certificate", certificate.toString(), "--tls-key", key.toString());

        cluster.join(array, gold);

        assertThat(cluster.awaitState(name, Vpsa.State.UNREACHABLE).getStatus().message())
                .contains("certificate")
                .contains("not trusted");
        cluster.controller().stop();
        cluster.startController("--array-trust", certificate.toString());
        cluster.awaitState(name, Vpsa.State.READY);
    }
}
