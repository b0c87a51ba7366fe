package dev.stowage.array;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.array.service.Refusal;
import dev.stowage.array.service.Volumes;
import dev.stowage.array.testing.ArrayUnderTest;
import dev.stowage.array.testing.Crashes;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A crash between any two effects leaves no mount, no file and no client that the API does not show. */
class ShareCrashTest {

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
                        "create a share",
                        array -> array.array()
                                .volumes()
                                .create(new Volumes.Wish("new", "300M", ArrayUnderTest.POOL, true, Map.of()))),
                new Operation(
                        "attach a share",
                        array -> array.array()
                                .attachments()
                                .attach(List.of(server(array)), List.of(volume(array, "free")), false)),
                new Operation(
                        "detach a share",
                        array -> array.array()
                                .attachments()
                                .detach(volume(array, "used"), List.of(server(array)), true)),
                new Operation("expand a share", array -> array.array().volumes().expand(volume(array, "used"), "16M")),
                new Operation(
                        "clone a share",
                        array -> array.array()
                                .snapshots()
                                .clone(
                                        array.array()
                                                .volumes()
                                                .find(volume(array, "used"))
                                                .getGroup(),
                                        "clone",
                                        Optional.empty())));
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
                repeat(array, operation);
                assertSound(array);
                clear(array);
                assertThat(array.files()).isEmpty();
            }
        }
        throw new AssertionError(operation + " never came to its end");
    }

    private static void prepare(ArrayUnderTest array) {
        var server = array.serverAt("server", "127.0.0.1");
        array.share("free", "300M");
        array.attach(server, array.share("used", "300M"));
    }

    private static void repeat(ArrayUnderTest array, Operation operation) {
        try {
            operation.run().accept(array);
        } catch (Refusal there) {
            assertThat(there).hasMessageContaining("taken");
        }
    }

    private static void clear(ArrayUnderTest array) {
        var all = array.array();
        all.servers().all().toList().forEach(server -> all.servers().delete(server.getId(), true));
        all.volumes().all().toList().forEach(volume -> all.volumes().delete(volume.getId(), true));
        all.volumes().recycled().toList().forEach(volume -> all.volumes().purge(volume.getId()));
    }

    /** What is mounted and served is what is attached, and the files are those of the volumes. */
    private static void assertSound(ArrayUnderTest array) throws IOException {
        var shown = array.api().get("/volumes.json").done().list("volumes");
        assertThat(array.files())
                .isEqualTo(shown.stream()
                        .map(volume -> String.valueOf(volume.get("name")))
                        .collect(Collectors.toSet()));
        var attached = new TreeSet<String>();
        for (var volume : shown) {
            var name = String.valueOf(volume.get("name"));
            boolean used = "In-use".equals(volume.get("status"));
            if (used) {
                attached.add(name);
            }
            assertThat(array.fileClient(name).list().exitCode() == 0)
                    .as("whether %s is served", volume.get("display_name"))
                    .isEqualTo(used);
        }
        try (var mounted = Files.list(array.shareMount("any").resolveSibling(""))) {
            assertThat(mounted.map(path -> String.valueOf(path.getFileName())))
                    .containsExactlyInAnyOrderElementsOf(attached);
        }
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
}
