package dev.stowage.conformance.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.citizen.Http;
import dev.stowage.conformance.pool.Eventually;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaderTest {

    private final AttachScene scene = new AttachScene();

    @AfterEach
    void endTheScene() throws Exception {
        scene.close();
        scene.kubernetes.leases().inNamespace("default").withName(leaseName()).delete();
    }

    private String leaseName() {
        return "external-attacher-leader-" + scene.driverName.replace('.', '-');
    }

    private Lease lease() {
        return scene.kubernetes
                .leases()
                .inNamespace("default")
                .withName(leaseName())
                .get();
    }

    private RunningSidecar candidate() {
        return scene.attacher(
                "-leader-election",
                "--leader-election-namespace=default",
                "--leader-election-lease-duration=3s",
                "--leader-election-renew-deadline=2s",
                "--leader-election-retry-period=500ms",
                "--leader-election-labels=who:test");
    }

    private RunningSidecar leader() {
        var candidate = candidate();
        Eventually.assertThat(() -> assertThat(candidate.log()).contains("leads by the lease"));
        return candidate;
    }

    private void attach(String name) {
        scene.makePersistentVolume("pv-" + name + scene.driverName);
        scene.wish("va-" + name + scene.driverName, "pv-" + name + scene.driverName);
        scene.awaitAttached("va-" + name + scene.driverName);
    }

    @Test
    void onlyTheLeaderWorksAndWhenItIsKilledAnotherTakesOver() {
        var first = leader();
        var second = candidate();
        attach("one");
        assertThat(second.log()).doesNotContain("leads by");
        assertThat(lease().getMetadata().getLabels()).containsEntry("who", "test");
        assertThat(new Http(first.port()).get("/healthz/leader-election").statusCode())
                .isEqualTo(200);
        first.kill();
        attach("two");
        assertThat(second.log()).contains("leads by the lease");
        assertThat(lease().getSpec().getLeaseTransitions()).isEqualTo(1);
    }

    @Test
    void aLeaderThatIsToldToEndLeavesTheLeaseToOthersAtOnce() {
        var first = leader();
        assertThat(first.stop()).isZero();
        assertThat(lease().getSpec().getHolderIdentity()).isEmpty();
        leader();
    }

    @Test
    void whoLostTheLeaseEndsWithCodeOne() {
        var first = leader();
        scene.kubernetes.leases().inNamespace("default").withName(leaseName()).edit(lease -> {
            lease.getSpec().setHolderIdentity("somebody-else");
            return lease;
        });
        assertThat(first.exitCode()).isEqualTo(1);
        assertThat(first.log()).contains("lost the lease");
    }

    @Test
    void termsThatContradictEachOtherAreWrongUsage() {
        var attacher = scene.attacher("--leader-election", "--leader-election-renew-deadline=20s");
        assertThat(attacher.exitCode()).isEqualTo(2);
        assertThat(attacher.log()).contains("lease duration");
    }

    @Test
    void withoutAKubeconfigAnAttacherOutsideOfAPodSaysSo() {
        var attacher =
                RunningSidecar.start(scene.workspace, "lost", "attacher", "--csi-address=" + scene.proxySocket());
        assertThat(attacher.exitCode()).isEqualTo(1);
        assertThat(attacher.log()).contains("does not run in a pod");
    }
}
