package dev.stowage.backend.vsc.central.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.vsc.Vpsa;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ArrayChangesTest {

    private final List<String> heard = new ArrayList<>();
    private final ArrayChanges changes = new ArrayChanges(new Resources.Listeners() {
        @Override
        public void classChanged(String name) {
            heard.add("class " + name);
        }

        @Override
        public void arrayChanged(String name) {
            heard.add("array " + name);
        }

        @Override
        public void volumeChanged(String name) {}

        @Override
        public void externalVolumeChanged(String name) {}

        @Override
        public void snapshotChanged(String name) {}

        @Override
        public void attachmentChanged(String name) {}
    });

    private static Vpsa array(String className, long generation, String version, Map<String, String> annotations) {
        var array = new Vpsa();
        array.setMetadata(new ObjectMetaBuilder()
                .withName("east")
                .withUid("1")
                .withGeneration(generation)
                .withResourceVersion(version)
                .withAnnotations(annotations)
                .build());
        array.setSpec(new Vpsa.Spec(className, "East", null, "east.example.com", "token"));
        return array;
    }

    private static Vpsa array(long generation, String version) {
        return array("gold", generation, version, Map.of());
    }

    @Test
    void whatALookWroteIsNoReasonToLookAgain() {
        changes.seen(array(1, "10"), array(1, "11"));
        assertThat(heard).containsExactly("class gold");
    }

    @Test
    void aNewArrayOrOneThatSomebodyChangedIsLookedAt() {
        changes.seen(null, array(1, "10"));
        changes.seen(array(1, "10"), array(2, "11"));
        changes.seen(array(2, "11"), array("gold", 2, "12", Map.of("some", "wish")));
        assertThat(heard)
                .containsExactly("array east", "class gold", "array east", "class gold", "array east", "class gold");
    }

    @Test
    void anArrayThatIsToldAgainIsLookedAtAgain() {
        var array = array(1, "10");
        changes.seen(array, array);
        assertThat(heard).containsExactly("array east", "class gold");
    }

    @Test
    void bothClassesHearOfAnArrayThatGoesFromOneToTheOther() {
        changes.seen(array(1, "10"), array("silver", 2, "11", Map.of()));
        assertThat(heard).containsExactly("array east", "class silver", "class gold");
    }

    @Test
    void anArrayThatIsGoneConcernsItsClass() {
        changes.gone(array(1, "10"));
        assertThat(heard).containsExactly("array east", "class gold");
    }
}
