package dev.stowage.workbench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.workbench.story.Story;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkChoiceTest {

    private final Story story = new Story(System.out, false);

    @Test
    void aNetworkThatSomebodyHasChosenAndNotMadeYetIsNotChosenAgain(@TempDir Path parent) {
        var one = begin(parent, "one");
        var other = begin(parent, "other");

        assertThat(other.network()).isNotEqualTo(one.network());
        assertThat(ClusterRecord.read(new Layout("one", parent.resolve("one")))).isEqualTo(Optional.of(one));
    }

    private ClusterRecord begin(Path parent, String name) {
        return Cluster.begin(new Layout(name, parent.resolve(name)), 1, new Tools(parent), story);
    }
}
