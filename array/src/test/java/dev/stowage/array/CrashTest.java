package dev.stowage.array;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.array.service.Refusal;
import dev.stowage.array.service.Volumes;
import dev.stowage.array.testing.ArrayUnderTest;
import dev.stowage.array.testing.Crashes;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A crash between any two effects of any call leaves a state that the API could have shown, and nothing besides. */
class CrashTest {

    private static final String IQN = "iqn.2026-01.test:crash";
    private static final int MORE_THAN_ANY_CALL_HAS = 100;

    private record Operation(String name, Consumer<ArrayUnderTest> run) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Operation> operations() {
        return Stream.of(
                new Operation(
                        "create a volume",
                        array -> array.array()
                                .volumes()
                                .create(new Volumes.Wish("new", "16M", ArrayUnderTest.POOL, false, Map.of()))),
                new Operation(
                        "attach",
                        array -> array.array()
                                .attachments()
                                .attach(List.of(server(array)), List.of(volume(array, "free")), false)),
                new Operation(
                        "detach",
                        array -> array.array()
                                .attachments()
                                .detach(volume(array, "used"), List.of(server(array)), true)),
                new Operation("expand", array -> array.array().volumes().expand(volume(array, "used"), "16M")),
                new Operation(
                        "take a snapshot", array -> array.array().snapshots().create(group(array, "used"), "snap")),
                new Operation(
                        "clone",
                        array -> array.array().snapshots().clone(group(array, "used"), "clone", Optional.empty())),
                new Operation(
                        "delete into the bin", array -> array.array().volumes().delete(volume(array, "used"), true)),
                new Operation(
                        "purge",
                        array -> array.array()
                                .volumes()
                                .purge(array.array()
                                        .volumes()
                                        .recycled()
                                        .findFirst()
                                        .orElseThrow()
                                        .getId())),
                new Operation(
                        "forbid to write",
                        array -> array.array().attachments().permit(volume(array, "used"), server(array), true)),
                new Operation(
                        "delete a server", array -> array.array().servers().delete(server(array), true)));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void isRecoveredFrom(Operation operation) throws IOException {
        try (var array = new ArrayUnderTest()) {
            for (int point = 1; point < MORE_THAN_ANY_CALL_HAS; point++) {
                prepare(array);
                if (!Crashes.happens(point, () -> operation.run().accept(array))) {
                    assertThat(point).as("effects of the call").isGreaterThan(2);
                    return;
                }
                array.crash();

                array.start();

                assertSound(array);
                assertUsable(array, operation);
                clear(array);
                assertThat(array.files()).isEmpty();
            }
        }
        throw new AssertionError(operation + " never came to its end");
    }

    private static void prepare(ArrayUnderTest array) {
        var server = array.server("server", IQN);
        array.volume("free", "16M");
        array.attach(server, array.volume("used", "16M"));
        array.api()
                .delete("/volumes/" + array.volume("binned", "16M") + ".json")
                .done();
    }

    private static void clear(ArrayUnderTest array) {
        var all = array.array();
        all.servers().all().toList().forEach(server -> all.servers().delete(server.getId(), true));
        all.snapshots().all().toList().forEach(snapshot -> all.snapshots().delete(snapshot.getId()));
        all.volumes().all().toList().forEach(volume -> all.volumes().delete(volume.getId(), true));
        all.volumes().recycled().toList().forEach(volume -> all.volumes().purge(volume.getId()));
    }

    /** The files are those of the volumes and snapshots that the API shows, and the target serves what is attached. */
    private static void assertSound(ArrayUnderTest array) throws IOException {
        var shown = new TreeSet<String>();
        shown.addAll(names(array, "/volumes.json", "volumes"));
        shown.addAll(names(array, "/pools/" + ArrayUnderTest.POOL + "/volumes_in_recycle_bin.json", "volumes"));
        shown.addAll(names(array, "/snapshots.json", "snapshots"));
        assertThat(array.files()).isEqualTo(shown);
        for (String volume : names(array, "/volumes.json", "volumes")) {
            var size = array.api()
                    .get("/volumes/" + volume + ".json")
                    .object("volume")
                    .get("virtual_capacity");
            assertThat(array.file(volume).toFile().length() / (double) (1L << 30))
                    .isEqualTo(size);
            for (var attached :
                    array.api().get("/volumes/" + volume + "/servers.json").list("servers")) {
                var initiator = array.initiator(volume, String.valueOf(attached.get("name")), IQN);
                assertThat(initiator.look("length").orThrow().stdout())
                        .contains(array.file(volume).toFile().length() / (1 << 20) + " MiB");
            }
        }
    }

    /** Whoever had no answer asks again, and gets what they wanted or hears that it is there. */
    private static void assertUsable(ArrayUnderTest array, Operation operation) throws IOException {
        try {
            operation.run().accept(array);
        } catch (Refusal | NoSuchElementException there) {
            assertThat(there).hasMessageMatching("(?s).*(taken|not found|No value present).*");
        }
        assertSound(array);
    }

    private static TreeSet<String> names(ArrayUnderTest array, String path, String list) {
        return array.api().get(path).done().list(list).stream()
                .map(each -> String.valueOf(each.get("name")))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String server(ArrayUnderTest array) {
        return array.array().servers().all().findFirst().orElseThrow().getId();
    }

    private static String volume(ArrayUnderTest array, String name) {
        return array.array()
                .volumes()
                .all()
                .filter(volume -> volume.getDisplayName().equals(name))
                .findFirst()
                .orElseThrow()
                .getId();
    }

    private static String group(ArrayUnderTest array, String name) {
        return array.array().volumes().find(volume(array, name)).getGroup();
    }
}
