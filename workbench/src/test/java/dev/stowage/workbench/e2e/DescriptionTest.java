package dev.stowage.workbench.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeSet;
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
    void everyPassHasAClassOfItsOwnAndTheRestInCommon() {
        assertThat(Pass.all())
                .extracting(pass -> pass.description(DESCRIPTION))
                .allMatch(description -> description.contains("    block: true\n"))
                .allMatch(description -> description.contains("VolumeAttributesClass: {FromFile: class.yaml}"))
                .doesNotHaveDuplicates();
    }

    @Test
    void onlyThePassThatBindsAtOnceHidesTopology() {
        assertThat(Pass.all())
                .filteredOn(pass -> !pass.description(DESCRIPTION).contains("TopologyKeys"))
                .extracting(Pass::name)
                .containsExactly("bound-at-once");
    }
}
