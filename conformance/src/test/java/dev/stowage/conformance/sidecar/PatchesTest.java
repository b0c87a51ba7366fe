package dev.stowage.conformance.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stowage.kube.Patches;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a real API server says to changes that it does not make. */
class PatchesTest {

    private final AttachScene scene = new AttachScene();
    private final Patches patches = new Patches(scene.kubernetes);

    @AfterEach
    void endTheScene() throws Exception {
        scene.close();
    }

    @Test
    void aChangeOfWhatIsOtherwiseByNowIsTooLateAndANonsensicalOneIsNot() {
        var name = "pv-patched" + scene.driverName;
        scene.makePersistentVolume(name);
        var volume = scene.kubernetes.persistentVolumes().withName(name).get();

        var late = refused(
                volume,
                Patches.Steps.of(volume).test("/metadata/name", "another").add("/metadata/labels", "none"));
        assertThat(Patches.tooLate(late)).as(late.getMessage()).isTrue();

        var nonsense = refused(volume, Patches.Steps.of(volume).add("/spec/accessModes", List.of("Sometimes")));
        assertThat(Patches.tooLate(nonsense)).as(nonsense.getMessage()).isFalse();
    }

    private KubernetesClientException refused(PersistentVolume volume, Patches.Steps steps) {
        return Objects.requireNonNull(
                catchThrowableOfType(KubernetesClientException.class, () -> patches.apply(volume, steps)));
    }
}
