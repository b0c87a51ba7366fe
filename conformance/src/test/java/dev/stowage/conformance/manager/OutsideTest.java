package dev.stowage.conformance.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.conformance.pool.Eventually;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A manager that is started by hand, beside the cluster. */
class OutsideTest {

    private static final List<String> STOCK = List.of("provisioner", "resizer", "snapshotter");

    @RegisterExtension
    static final Lasting<ManagedPlane> PLANE = Lasting.forTheClass(ManagedPlane.class, ManagedPlane::withoutManager);

    @Test
    void itNeedsToKnowNothingButTheClusterAndTakesTheImagesOfTheChart() throws IOException {
        var plane = PLANE.get();
        try (var manager = RunningManager.withoutOptions(plane.workspace(), plane.plane(), "by-hand")) {
            Eventually.assertThat(
                    () -> assertThat(manager.leads()).as(manager.log()).isTrue());
            var deployed = Deployed.nothing(plane.client())
                    .apply(spec -> spec.put("sidecars", Map.of("resizer", "Always", "snapshotter", "Always")))
                    .awaitSynced();
            var containers = deployed.controller()
                    .get()
                    .getSpec()
                    .getTemplate()
                    .getSpec()
                    .getContainers();

            var values = yaml("values.yaml");
            for (String sidecar : STOCK) {
                assertThat(image(containers, "csi-" + sidecar)).isEqualTo(text(values, "sidecars", sidecar, "image"));
            }
            assertThat(image(containers, "csi-attacher"))
                    .isEqualTo(text(values, "image", "repository") + ":" + text(yaml("Chart.yaml"), "appVersion"));
        }
    }

    private static String image(List<Container> containers, String name) {
        return containers.stream()
                .filter(container -> container.getName().equals(name))
                .map(Container::getImage)
                .findFirst()
                .orElseThrow();
    }

    private static Map<?, ?> yaml(String file) throws IOException {
        return Serialization.unmarshal(
                Files.readString(Path.of(System.getenv("STOWAGE_HOME"), "charts", "stowage", file)), Map.class);
    }

    private static String text(Map<?, ?> tree, String... path) {
        Object found = tree;
        for (String step : path) {
            found = Objects.requireNonNull(((Map<?, ?>) found).get(step));
        }
        return String.valueOf(found);
    }
}
