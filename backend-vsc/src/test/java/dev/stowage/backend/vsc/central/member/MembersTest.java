package dev.stowage.backend.vsc.central.member;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.stowage.arrayapi.ArrayController;
import dev.stowage.arrayapi.ArrayPool;
import dev.stowage.backend.vsc.VscSettings;
import dev.stowage.backend.vsc.central.placement.Allocator;
import dev.stowage.core.backend.Gauge;
import dev.stowage.core.volume.Sizes;
import dev.stowage.kube.vsc.Vpsa;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which array a new volume goes to when one of them does not answer. */
class MembersTest {

    private final Members members = new Members(
            new VscSettings.Arrays(false, true, Optional.empty(), Duration.ofSeconds(60), Duration.ofSeconds(50)),
            Allocator.weighted);
    private final CountDownLatch answering = new CountDownLatch(1);
    private final List<Thread> asked = new ArrayList<>();
    private HttpServer silent;
    private List<Vpsa> arrays;

    @BeforeEach
    void start() throws IOException {
        silent = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        silent.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        silent.createContext("/", exchange -> {
            try (exchange) {
                answering.await();
                byte[] body = "{\"response\": {\"status\": 0, \"pools\": []}}".getBytes();
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        });
        silent.start();
        arrays = List.of(array("array-1"), array("array-2"));
    }

    @AfterEach
    void stop() throws InterruptedException {
        answering.countDown();
        for (var asking : asked) {
            asking.join();
        }
        silent.stop(0);
        members.close();
    }

    private Vpsa array(String name) {
        var vpsa = new Vpsa();
        vpsa.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withCreationTimestamp("2026-01-01T00:00:00Z")
                .build());
        vpsa.setSpec(new Vpsa.Spec(
                "gold", name, null, "127.0.0.1:" + silent.getAddress().getPort(), "token"));
        members.ensure(vpsa, "token").seen(view(0), System.nanoTime());
        return vpsa;
    }

    private static Member.View view(int volumes) {
        return new Member.View(
                new ArrayController("iqn.2026-01.dev.stowage:test", List.of(), "user", "secret", "24.03"),
                new ArrayPool("pool-1", Sizes.TIB, Sizes.TIB, volumes * Sizes.GIB, "normal", Optional.empty()),
                volumes,
                0);
    }

    private String place(String volume) {
        String chosen = members.place(volume, "gold", Sizes.GIB, arrays).name();
        members.require(chosen).forget(volume);
        return chosen;
    }

    private Thread leaveWithoutAnswer(String array) throws InterruptedException {
        var client = members.require(array).client();
        var asking = Thread.ofVirtual().start(client::pools);
        asked.add(asking);
        while (client.prompt()) {
            Thread.sleep(20);
        }
        return asking;
    }

    private double gauge(String name, String array) {
        return members.gauges().stream()
                .filter(gauge -> gauge.name().equals(name) && gauge.labels().equals(Map.of("array", array)))
                .mapToDouble(Gauge::value)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anArrayThatLeavesACallWithoutAnswerGetsNoNewVolumesWhileAnotherCanTakeThem() throws InterruptedException {
        assertThat(place("pvc-1")).isEqualTo("array-1");

        var asking = leaveWithoutAnswer("array-1");
        assertThat(place("pvc-2")).isEqualTo("array-2");

        answering.countDown();
        asking.join();
        assertThat(place("pvc-3")).isEqualTo("array-1");
    }

    @Test
    void whatWasMadeOrHasEndedCountsBeforeTheArrayIsLookedAtAgain() {
        var first = members.require("array-1");
        first.seen(view(2), System.nanoTime());
        members.require("array-2").seen(view(1), System.nanoTime());

        first.ended("pvc-old-1", Sizes.GIB);
        first.ended("pvc-old-2", Sizes.GIB);

        assertThat(members.place("pvc-1", "gold", Sizes.GIB, arrays).name()).isEqualTo("array-1");
        first.kept("pvc-1");
        first.ended("pvc-1", Sizes.GIB);
        assertThat(first.candidate().volumes()).isZero();
        first.seen(view(0), System.nanoTime());
        assertThat(first.candidate().volumes()).isZero();
    }

    @Test
    void whereNoArrayAnswersOneIsChosenAllTheSame() throws InterruptedException {
        leaveWithoutAnswer("array-1");
        leaveWithoutAnswer("array-2");

        assertThat(place("pvc-1")).isEqualTo("array-1");
    }

    @Test
    void thoseWhoWatchSeeWhatEachArrayWasAskedAndWhetherItAnswers() throws InterruptedException {
        var asking = leaveWithoutAnswer("array-1");
        assertThat(gauge("stowage_array_calls_in_flight", "array-1")).isOne();
        assertThat(gauge("stowage_array_calls_in_flight", "array-2")).isZero();
        assertThat(gauge("stowage_array_calls_waiting", "array-1")).isZero();
        assertThat(gauge("stowage_array_left_alone", "array-1")).isZero();

        answering.countDown();
        asking.join();

        assertThat(members.gauges())
                .filteredOn(gauge -> gauge.name().equals("stowage_array_calls"))
                .singleElement()
                .satisfies(gauge -> {
                    assertThat(gauge.labels())
                            .isEqualTo(Map.of("array", "array-1", "call", "GET /pools", "outcome", "done"));
                    assertThat(gauge.value()).isOne();
                });
    }
}
