package dev.stowage.manager.beside;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntryBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EditsTest {

    private static final String US = "manager";
    private static final Placement PLACEMENT = new Placement(new KubernetesSerialization(), "digest", US);

    private static Pod wished() {
        return PLACEMENT.pod(
                "node",
                metadata(),
                new PodTemplateSpecBuilder()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("driver")
                        .withImage("driver:1")
                        .endContainer()
                        .endSpec()
                        .build());
    }

    private static ObjectMeta metadata() {
        return new ObjectMetaBuilder()
                .withName("pod")
                .withNamespace("namespace")
                .addToLabels("of", "driver")
                .build();
    }

    private static ManagedFieldsEntry wrote(String who, String what) {
        return new ManagedFieldsEntryBuilder()
                .withManager(who)
                .withTime("2026-01-01T00:00:00Z")
                .withNewFieldsV1()
                .addToAdditionalProperties(what, Map.of())
                .endFieldsV1()
                .build();
    }

    /** What is there of the wish, as those have written it. */
    private static Pod live(Consumer<Pod> change, ManagedFieldsEntry... writers) {
        var pod = new PodBuilder(wished())
                .editMetadata()
                .withManagedFields(writers)
                .endMetadata()
                .build();
        change.accept(pod);
        return pod;
    }

    private static void image(Pod pod) {
        pod.getSpec().getContainers().getFirst().setImage("mirror/driver:1");
    }

    private static void further(Pod pod) {
        pod.getSpec()
                .getTolerations()
                .addLast(pod.getSpec().getTolerations().getFirst().toBuilder()
                        .withKey("further")
                        .build());
    }

    private static void deadline(Pod pod) {
        pod.getSpec().setActiveDeadlineSeconds(60L);
    }

    @Test
    void whatIsMadeOfAWishOnTheWayIsWhatItIs() {
        var mirrored = live(
                pod -> {
                    image(pod);
                    further(pod);
                },
                wrote(US, "f:spec"),
                wrote("kubelet", "f:status"));

        assertThat(PLACEMENT.isCurrent(mirrored, wished())).isTrue();
    }

    private static Stream<Consumer<Pod>> changes() {
        return Stream.of(EditsTest::image, EditsTest::further, EditsTest::deadline);
    }

    @ParameterizedTest
    @MethodSource("changes")
    void whatSomebodyWroteLaterIsAnEdit(Consumer<Pod> change) {
        var edited = live(change, wrote(US, "f:spec"), wrote("kubectl-set", "f:spec"));

        assertThat(PLACEMENT.isCurrent(edited, wished())).isFalse();
        var told = PLACEMENT.edits(edited, wished()).restored(edited);
        assertThat(told.object()).isEqualTo("Pod namespace/pod");
        assertThat(told.by()).isEqualTo("kubectl-set at 2026-01-01T00:00:00Z");
        assertThat(told.changes()).hasSize(1);
    }

    @Test
    void whatSomebodyWroteAndTookBackIsNone() {
        var restored = live(pod -> {}, wrote(US, "f:spec"), wrote("kubectl-set", "f:spec"));

        assertThat(PLACEMENT.isCurrent(restored, wished())).isTrue();
    }

    @Test
    void aLabelThatIsAnotherIsAnEditAndOneThatIsAddedIsNot() {
        var another = live(pod -> pod.getMetadata().setLabels(Map.of("of", "nobody")));
        var more = live(pod -> pod.getMetadata().setLabels(Map.of("of", "driver", "team", "storage")));

        assertThat(PLACEMENT.isCurrent(another, wished())).isFalse();
        assertThat(PLACEMENT.isCurrent(more, wished())).isTrue();
    }
}
