package dev.stowage.manager.weka;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said of a driver that goes. */
class DriverRemovalTest {

    private static HasMetadata going(String name, String... finalizers) {
        return new StorageClassBuilder()
                .withNewMetadata()
                .withName(name)
                .withDeletionTimestamp("2026-01-01T00:00:00Z")
                .withFinalizers(finalizers)
                .endMetadata()
                .build();
    }

    @Test
    void aCauseIsTold() {
        var removal = DriverRemoval.of(List.of("it is forbidden", "it is forbidden"), List.of(going("b", "x/y")));

        assertThat(removal.reason()).isEqualTo("Failed");
        assertThat(removal.message("csi.weka.io"))
                .isEqualTo("csi.weka.io is being removed, but not all of it could be: it is forbidden;"
                        + " StorageClass b is still there until its finalizers are taken off: x/y");
    }

    @Test
    void whatOnlyTakesItsTimeIsNotWorthAWord() {
        var removal = DriverRemoval.of(List.of(), List.of(going("b")));

        assertThat(removal.reason()).isEqualTo("Progressing");
        assertThat(removal.message("csi.weka.io")).isEqualTo("csi.weka.io is being removed");
    }
}
