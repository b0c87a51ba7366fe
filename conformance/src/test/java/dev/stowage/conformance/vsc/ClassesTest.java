package dev.stowage.conformance.vsc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.vsc.Capacity;
import dev.stowage.kube.vsc.CapacityMode;
import dev.stowage.kube.vsc.Vpsa;
import dev.stowage.kube.vsc.VscStorageClass;
import dev.stowage.kube.vsc.VscVolume;
import io.fabric8.kubernetes.api.model.Event;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the members of a class have to do with where its volumes go. */
class ClassesTest {

    private static final int MORE_THAN_THERE_IS = 1000;

    private static VscCluster cluster;
    private static RunningArray first;
    private static RunningArray second;

    @BeforeAll
    static void start() {
        cluster = VscCluster.start();
        var arrays = cluster.ready(2);
        first = arrays.get(0);
        second = arrays.get(1);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void calm() {
        keepFree(first, 0);
        keepFree(second, 0);
        awaitMode(first, CapacityMode.NORMAL);
        awaitMode(second, CapacityMode.NORMAL);
    }

    private static void keepFree(RunningArray array, int gibibytes) {
        array.client().protect(array.client().pools().getFirst().id(), gibibytes);
    }

    private static void awaitMode(RunningArray array, CapacityMode mode) {
        Eventually.assertThat(() -> assertThat(
                        mode(cluster.get(Vpsa.class, array.name()).getStatus().capacity()))
                .isEqualTo(mode));
    }

    private static CapacityMode mode(@Nullable Capacity capacity) {
        return Objects.requireNonNull(Objects.requireNonNull(capacity).mode());
    }

    private static List<String> placesOf(String prefix, int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> prefix + number)
                .peek(name -> cluster.create(VscCluster.blockVolume(name, 1)))
                .map(name -> cluster.get(VscVolume.class, name).getStatus().vpsaId())
                .toList();
    }

    @Test
    void theWorstModeOfItsMembersIsShownAndAMemberThatIsNotNormalIsPassedOver() {
        keepFree(first, MORE_THAN_THERE_IS);
        awaitMode(first, CapacityMode.EMERGENCY);
        Eventually.assertThat(() -> assertThat(mode(cluster.get(VscStorageClass.class, VscCluster.CLASS)
                        .getStatus()
                        .capacity()))
                .isEqualTo(CapacityMode.EMERGENCY));
        assertThat(cluster.events("VPSA", first.name()))
                .filteredOn(event -> event.getReason().equals("CapacityMode"))
                .extracting(Event::getMessage)
                .anySatisfy(message -> assertThat(message).contains("emergency"));
        assertThat(placesOf("passed-over-", 4)).containsOnly(second.name());

        keepFree(second, MORE_THAN_THERE_IS);
        awaitMode(second, CapacityMode.EMERGENCY);
        assertThatThrownBy(() -> cluster.create(VscCluster.blockVolume("nowhere", 1)))
                .isInstanceOf(StatusRuntimeException.class)
                .satisfies(refused ->
                        assertThat(Status.fromThrowable(refused).getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED))
                .hasMessageContaining(first.name())
                .hasMessageContaining(second.name())
                .hasMessageContaining("emergency");
        assertThat(cluster.get(VscVolume.class, "nowhere")).isNull();
    }

    @Test
    void ofSeveralDefaultsTheOldestIsItAndTheOthersSaySo() {
        cluster.storageClass("rival", true);

        Eventually.assertThat(() -> assertThat(
                        cluster.get(VscStorageClass.class, "rival").getStatus().message())
                .contains(VscCluster.CLASS)
                .contains("only one can be"));
        cluster.create(VscCluster.blockVolume("of-the-default", 1));
        assertThat(cluster.get(VscVolume.class, "of-the-default").getSpec().vscStorageClassName())
                .isEqualTo(VscCluster.CLASS);
    }

    @Test
    void aDefaultClassIsNotDeletedBeforeItIsNoDefaultAnyMore() {
        cluster.storageClass("leaving", true);
        var leaving = cluster.client().resources(VscStorageClass.class).withName("leaving");
        Eventually.assertThat(
                () -> assertThat(leaving.get().getMetadata().getFinalizers()).isNotEmpty());

        leaving.delete();

        Eventually.assertThat(() -> {
            var status = leaving.get().getStatus();
            assertThat(status.state()).isEqualTo(VscStorageClass.State.DELETING);
            assertThat(status.message()).contains("clear isDefault");
        });
        cluster.edit(
                VscStorageClass.class,
                "leaving",
                found -> found.setSpec(new VscStorageClass.Spec("leaving", null, false, null)));
        Eventually.assertThat(() -> assertThat(leaving.get()).isNull());
    }

    @Test
    void oneAfterTheOtherMeansTheNextOnlyWhenTheFirstTakesNoMore() {
        cluster.controller().stop();
        cluster.startController("--allocator", "linear");
        cluster.awaitLook(first);
        cluster.awaitLook(second);
        assertThat(placesOf("linear-", 3)).containsOnly(first.name());

        keepFree(first, MORE_THAN_THERE_IS);
        awaitMode(first, CapacityMode.EMERGENCY);
        assertThat(placesOf("linear-then-", 2)).containsOnly(second.name());
    }
}
