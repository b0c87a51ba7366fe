package dev.stowage.kube.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.crdv2.generator.CRDGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    private static final Path CHECKED_IN = Path.of("..", "charts", "stowage", "files", "crds");
    private static final String KEPT = "metadata:\n  annotations:\n    helm.sh/resource-policy: keep\n";

    @TempDir
    Path generated;

    @ParameterizedTest
    @ValueSource(strings = {"localpools", "localvolumes", "localsnapshots", "localgroupsnapshots"})
    void theDefinitionThatTheChartInstallsIsThatOfTheType(String plural) throws IOException {
        String made = definition(plural);
        Path file = CHECKED_IN.resolve(plural + ".local.stowage.dev.yaml");
        if ("write".equals(System.getProperty("stowage.definitions"))) {
            Files.createDirectories(CHECKED_IN);
            Files.writeString(file, made);
        }
        assertThat(file)
                .as("write it with -Dstowage.definitions=write")
                .content()
                .isEqualTo(made);
    }

    @Test
    void theyAreWhatHelmLeavesInPlaceWithEverythingInThem() throws IOException {
        assertThat(definition("localvolumes"))
                .contains(KEPT)
                .contains("scope: \"Cluster\"")
                .contains("status: {}");
    }

    private String definition(String plural) throws IOException {
        new CRDGenerator()
                .customResourceClasses(
                        LocalPool.class, LocalVolume.class, LocalSnapshot.class, LocalGroupSnapshot.class)
                .forCRDVersions(List.of("v1"))
                .inOutputDir(generated.toFile())
                .generate();
        String text = Files.readString(generated.resolve(plural + ".local.stowage.dev-v1.yml"));
        // Removing the definitions would remove the resources, and with them what is known about the volumes in the
        // pools.
        return text.replaceFirst("(?m)^# .*\\R", "").replaceFirst("metadata:\n", KEPT);
    }
}
