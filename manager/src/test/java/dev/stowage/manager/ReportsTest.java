package dev.stowage.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.driver.Report;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReportsTest {

    private static final String TELLS =
            "{\"name\": \"one.example.com\", \"version\": \"1\", \"capabilities\": [\"EXPAND_VOLUME\"]}";

    private final List<String> asked = new ArrayList<>();
    private final List<Duration> wakings = new ArrayList<>();
    private final List<Pod> pods = new ArrayList<>(List.of(pod("one-controller-a", "c1", "sidecar", "liveness")));
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private @Nullable String answer;

    private final Reports reports = new Reports(
            path -> {
                asked.add(path);
                if (answer == null) {
                    throw new KubernetesClientException("dial tcp 10.0.0.1: attempt " + asked.size());
                }
                return answer;
            },
            owner -> pods,
            () -> now,
            (owner, pause) -> {
                assertThat(owner).isEqualTo("drivers/one");
                wakings.add(pause);
            });

    private static Pod pod(String name, String container, String... command) {
        var arguments = new ArrayList<>(List.of(command));
        arguments.add("--health-port=9808");
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("drivers")
                .withName(name)
                .withCreationTimestamp("2026-01-01T00:00:00Z")
                .addToLabels(CsiDriverDeployment.DEPLOYMENT, "one-controller")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("csi-driver")
                .endContainer()
                .addNewContainer()
                .withName("csi-probe")
                .withArgs(arguments)
                .endContainer()
                .endSpec()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .addNewContainerStatus()
                .withName("csi-driver")
                .withContainerID(container)
                .endContainerStatus()
                .endStatus()
                .build();
    }

    private static CsiDriverDeployment deployment(String fields) {
        return new KubernetesSerialization().unmarshal("""
                apiVersion: csidriver.storage.openshift.io/v1alpha1
                kind: CSIDriverDeployment
                metadata: {name: one, namespace: drivers, uid: 0000-1111}
                spec:
                  driverName: one.example.com
                  driverSocket: /run/csi/csi.sock
                  driverPerNodeTemplate: {spec: {containers: [{name: csi-driver, image: driver}]}}
                  driverControllerTemplate: {spec: {containers: [{name: csi-driver, image: driver}]}}
                %s
                """.formatted(fields), CsiDriverDeployment.class);
    }

    private Reports.Answer ask() {
        return reports.of(deployment(""));
    }

    /** Each time when it comes up again. */
    private Reports.Answer askInVain(int times) {
        var last = ask();
        for (int time = 1; time < times; time++) {
            now = now.plus(wakings.getLast());
            last = ask();
        }
        return last;
    }

    @Test
    void aDriverThatTellsIsAskedOnce() {
        answer = TELLS;

        assertThat(ask().report()).contains(new Report("one.example.com", "1", Set.of("EXPAND_VOLUME")));
        assertThat(ask().silence()).isEmpty();
        assertThat(asked).containsExactly("/api/v1/namespaces/drivers/pods/one-controller-a:9808/proxy/driver");
        assertThat(wakings).isEmpty();
    }

    @Test
    void oneThatCannotBeReachedIsToldOnceThatLastsWithItsPodAndTheCause() {
        assertThat(ask().silence()).isEmpty();
        assertThat(askInVain(3).silence())
                .hasValueSatisfying(
                        why -> assertThat(why).contains("drivers/one-controller-a", "9808", "dial tcp 10.0.0.1"));
    }

    @Test
    void theSameCauseInOtherWordsIsNoNews() {
        var told = askInVain(4).silence();

        assertThat(askInVain(5).silence()).isEqualTo(told).isPresent();
    }

    @Test
    void itIsAskedAgainAfterAWhileThatGrowsAndNotInBetween() {
        var _ = askInVain(20);
        assertThat(asked).hasSize(20);
        assertThat(wakings.getFirst()).isLessThan(Duration.ofSeconds(2));
        assertThat(wakings).isSorted();
        assertThat(wakings.getLast()).isBetween(Duration.ofMinutes(5), Duration.ofMinutes(6));

        var _ = ask();
        assertThat(asked).hasSize(20);
    }

    @Test
    void whenItTellsNothingIsSaidAnyMore() {
        var _ = askInVain(5);
        answer = TELLS;
        now = now.plus(wakings.getLast());

        var told = ask();
        assertThat(told.report()).isPresent();
        assertThat(told.silence()).isEmpty();
    }

    @Test
    void anotherDriverBeginsAnewAndOneThatIsNotReadyForAMomentDoesNot() {
        var why = askInVain(3).silence();
        pods.clear();
        assertThat(ask().silence()).isEqualTo(why).isPresent();

        pods.add(pod("one-controller-b", "c2", "sidecar", "liveness"));
        assertThat(ask().silence()).isEmpty();
        assertThat(asked).hasSize(4);
    }

    @Test
    void aProbeThatIsNotOursNeedNotKnowTheQuestion() {
        pods.clear();
        pods.add(pod("one-controller-a", "c1"));

        for (int time = 0; time < 5; time++) {
            assertThat(ask().silence()).isEmpty();
        }
        assertThat(wakings).isEmpty();
    }

    @Test
    void theWayOutIsToDecideWhatItsAbilitiesWouldDecide() {
        assertThat(Remark.of(deployment(""), Optional.of("pod a is silent"), Optional.empty()))
                .singleElement()
                .satisfies(remark -> {
                    assertThat(remark.reason()).isEqualTo("NotTold");
                    assertThat(remark.message())
                            .contains(
                                    "pod a is silent",
                                    "spec.sidecars.resizer, spec.sidecars.snapshotter, spec.sidecars.groupSnapshots",
                                    "spec.csiDriver.attachRequired");
                });
        var decided =
                deployment("  sidecars: {resizer: Always, snapshotter: Never}\n  csiDriver: {attachRequired: false}");
        assertThat(Remark.of(decided, Optional.of("pod a is silent"), Optional.empty()))
                .isEmpty();
    }
}
