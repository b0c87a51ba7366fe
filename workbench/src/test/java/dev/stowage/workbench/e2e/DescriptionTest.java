package dev.stowage.workbench.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class DescriptionTest {
    private static final String DESCRIPTION = """
            DriverInfo:
              TopologyKeys: [local.stowage.dev/node]
              Capabilities:
                block: true
                # topology: true
                capacity: false
            StorageClass: {FromFile: storageclass.yaml}
            VolumeAttributesClass: {FromFile: class.yaml}
            """;

    @Test
    void aCapabilityThatTheDriverDeclaresAndTheDescriptionDoesNotIsFound() {
        var declared = new TreeSet<>(List.of("block", "topology", "capacity", "exec", "VolumeAttributesClass"));
        assertThat(DeclaredCapabilities.leftOut(declared, DESCRIPTION)).containsExactly("capacity", "exec", "topology");
    }

    @Test
    void passesDifferInTheirClassAndHaveTheRestInCommon() {
        assertThat(Pass.all())
                .extracting(pass -> pass.description(DESCRIPTION))
                .allMatch(description -> description.contains("    block: true\n"))
                .allMatch(description -> description.contains("VolumeAttributesClass: {FromFile: class.yaml}"));
        assertThat(Pass.all())
                .filteredOn(pass -> !pass.alone())
                .extracting(pass -> pass.description(DESCRIPTION))
                .doesNotHaveDuplicates();
    }

    @Test
    void everyExpectedSpecBelongsToOnePass() {
        var expectations = Expectations.read(Path.of("..", "e2e"));
        var names = expectations.missingFrom(Set.of());
        assertThat(names)
                .isNotEmpty()
                .allSatisfy(name -> assertThat(Pass.all())
                        .filteredOn(pass -> has(pass, "External Storage [Driver: any] " + name))
                        .hasSize(1));
    }

    @Test
    void specsThatStopAKubeletRunAlone() {
        assertThat(Pass.all())
                .filteredOn(pass -> has(pass, "External Storage [Testpattern: any] any [Disruptive] any"))
                .extracting(Pass::alone)
                .containsExactly(true);
    }

    private static boolean has(Pass pass, String name) {
        return Pattern.compile(pass.focus()).matcher(name).find()
                && pass.skip()
                        .map(skip -> !Pattern.compile(skip).matcher(name).find())
                        .orElse(true);
    }

    @Test
    void onlyThePassThatBindsAtOnceHidesTopology() {
        assertThat(Pass.all())
                .filteredOn(pass -> !pass.description(DESCRIPTION).contains("TopologyKeys"))
                .extracting(Pass::name)
                .containsExactly("bound-at-once");
    }
}
