package dev.stowage.kube.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.Definitions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The definitions that the chart installs are those of the types.
 *
 * <p>{@code mvn -pl kube -am test -Dtest=DefinitionsTest -Dsurefire.failIfNoSpecifiedTests=false -Dstowage.definitions=write} writes them
 * anew after a type was changed.
 */
class DefinitionsTest {

    @TempDir
    Path generated;

    private Definitions definitions;

    @BeforeEach
    void take() {
        definitions = new Definitions(
                "local",
                generated,
                List.of(LocalPool.class, LocalVolume.class, LocalSnapshot.class, LocalGroupSnapshot.class));
    }

    @ParameterizedTest
    @ValueSource(classes = {LocalPool.class, LocalVolume.class, LocalSnapshot.class, LocalGroupSnapshot.class})
    void theDefinitionThatTheChartInstallsIsThatOfTheType(Class<? extends HasMetadata> type) throws IOException {
        definitions.check(type);
    }

    @Test
    void theyAreWhatHelmLeavesInPlaceWithEverythingInThem() throws IOException {
        assertThat(definitions.of(LocalVolume.class))
                .contains(Definitions.KEPT)
                .contains("scope: \"Cluster\"")
                .contains("status: {}");
    }
}
