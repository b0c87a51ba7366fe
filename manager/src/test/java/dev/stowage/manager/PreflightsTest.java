package dev.stowage.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.manager.driver.Finding;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PreflightsTest {

    private static final String OWNER = "drivers/one";
    private static final String IT_RUNS = "[{\"name\": \"Iscsid\", \"ok\": true, \"message\": \"iscsid runs\"}]";
    private static final List<Finding> RUNS = List.of(new Finding("Iscsid", true, "iscsid runs"));

    private final BlockingQueue<String> changed = new LinkedBlockingQueue<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private volatile @Nullable String answer = IT_RUNS;

    private Preflights preflights() {
        return preflights(path -> {
            asked.add(path);
            return answer;
        });
    }

    private Preflights preflights(Preflights.Proxy proxy) {
        return new Preflights(proxy, () -> now, Duration.ofMillis(1), changed::add);
    }

    private static Pod pod(String name, String container) {
        return pod(name, container, "--http-endpoint=:9809", "--host-proc=/host/proc");
    }

    private static Pod pod(String name, String container, String... arguments) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("drivers")
                .withName(name)
                .withUid("uid-" + name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("csi-driver")
                .endContainer()
                .addNewContainer()
                .withName("csi-driver-registrar")
                .withArgs(arguments)
                .endContainer()
                .endSpec()
                .withNewStatus()
                .addNewContainerStatus()
                .withName("csi-driver-registrar")
                .withContainerID(container)
                .withNewState()
                .withNewRunning()
                .endRunning()
                .endState()
                .endContainerStatus()
                .endStatus()
                .build();
    }

    private void awaitChange() throws InterruptedException {
        assertThat(changed.poll(60, TimeUnit.SECONDS)).isEqualTo(OWNER);
    }

    /** Ten minutes later. A pod is not asked while it is being asked, so after the second question the first was dealt with. */
    private void askAgainTwice(Preflights preflights, Pod pod) {
        int before = asked.size();
        while (asked.size() < before + 2) {
            now = now.plus(Duration.ofMinutes(11));
            var _ = preflights.of(OWNER, pod);
            Thread.yield();
        }
    }

    @Test
    void aRegistrarIsAskedOnceAndItsDeploymentComesUpAgainWithWhatItFound() throws InterruptedException {
        var preflights = preflights();

        assertThat(preflights.of(OWNER, pod("a", "c1"))).isEmpty();
        awaitChange();

        assertThat(preflights.of(OWNER, pod("a", "c1"))).contains(RUNS);
        now = now.plus(Duration.ofMinutes(9));
        assertThat(preflights.of(OWNER, pod("a", "c1"))).contains(RUNS);
        assertThat(asked).containsExactly("/api/v1/namespaces/drivers/pods/a:9809/proxy/preflight");
        assertThat(changed).isEmpty();
    }

    @Test
    void itIsAskedAgainWhenItWasRestartedOrTenMinutesHavePassed() throws InterruptedException {
        var preflights = preflights();
        var _ = preflights.of(OWNER, pod("a", "c1"));
        awaitChange();

        answer = IT_RUNS.replace("true", "false");
        assertThat(preflights.of(OWNER, pod("a", "c2"))).contains(RUNS);
        awaitChange();
        assertThat(preflights.of(OWNER, pod("a", "c2"))).contains(List.of(new Finding("Iscsid", false, "iscsid runs")));

        answer = IT_RUNS;
        now = now.plus(Duration.ofMinutes(11));
        var _ = preflights.of(OWNER, pod("a", "c2"));
        awaitChange();
        assertThat(preflights.of(OWNER, pod("a", "c2"))).contains(RUNS);
        assertThat(asked).hasSize(3);
    }

    @Test
    void whatIsFoundAgainChangesNothing() throws InterruptedException {
        var preflights = preflights();
        var _ = preflights.of(OWNER, pod("a", "c1"));
        awaitChange();

        askAgainTwice(preflights, pod("a", "c1"));

        assertThat(changed).isEmpty();
        assertThat(preflights.of(OWNER, pod("a", "c1"))).contains(RUNS);
    }

    @Test
    void aRegistrarThatIsNotOursIsNotAskedAndNothingIsKnown() {
        var findings = preflights().of(OWNER, pod("a", "c1", "--http-endpoint=:9809"));

        assertThat(findings).isPresent();
        assertThat(findings.orElseThrow()).hasSize(4).allMatch(finding -> finding.ok() == null);
        assertThat(asked).isEmpty();
    }

    @Test
    void oneThatDoesNotRunOrIsOnItsWayOutIsNotAsked() {
        var preflights = preflights();
        var waiting = pod("a", "c1");
        waiting.getStatus().getContainerStatuses().getFirst().getState().setRunning(null);
        var leaving = pod("b", "c1");
        leaving.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");

        assertThat(preflights.of(OWNER, waiting)).isEmpty();
        assertThat(preflights.of(OWNER, leaving)).isEmpty();
        assertThat(asked).isEmpty();
    }

    @Test
    void oneThatDoesNotAnswerIsAskedAFewTimesAndThenNothingIsKnown() throws InterruptedException {
        var preflights = preflights(path -> {
            asked.add(path);
            throw new KubernetesClientException("no route");
        });

        assertThat(preflights.of(OWNER, pod("a", "c1"))).isEmpty();
        awaitChange();

        assertThat(preflights.of(OWNER, pod("a", "c1")).orElseThrow())
                .hasSize(4)
                .allMatch(finding -> finding.ok() == null);
        assertThat(asked).hasSize(5);
    }

    @Test
    void whatWasFoundStaysFoundWhileTheRegistrarCannotBeReachedOrTalksNonsense() throws InterruptedException {
        var preflights = preflights();
        var _ = preflights.of(OWNER, pod("a", "c1"));
        awaitChange();

        for (var nonsense : new @Nullable String[] {null, "<html>", "{\"a\": 1}"}) {
            answer = nonsense;
            askAgainTwice(preflights, pod("a", "c1"));
            assertThat(preflights.of(OWNER, pod("a", "c1"))).contains(RUNS);
        }
    }

    @Test
    void onlyAFewAreAskedAtOnceAndNobodyWaitsForThem() throws InterruptedException {
        var inside = new AtomicInteger();
        var most = new AtomicInteger();
        var held = new CountDownLatch(1);
        var preflights = preflights(path -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            try {
                held.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            inside.decrementAndGet();
            return IT_RUNS;
        });
        var told = new ArrayList<Optional<List<Finding>>>();
        for (int number = 0; number < 50; number++) {
            told.add(preflights.of(OWNER, pod("pod-" + number, "c")));
        }
        held.countDown();
        for (int number = 0; number < 50; number++) {
            awaitChange();
        }

        assertThat(told).allMatch(Optional::isEmpty);
        assertThat(most).hasValueBetween(1, 4);
    }
}
