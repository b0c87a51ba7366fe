package dev.stowage.manager.weka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.weka.CsiConfig;
import dev.stowage.kube.weka.WekaResources;
import dev.stowage.manager.beside.Placement;
import dev.stowage.manager.driver.Part;
import dev.stowage.manager.driver.RenderingSettings;
import dev.stowage.manager.driver.SidecarImages;
import dev.stowage.manager.driver.Volumes;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * With untouched values everything is as in a file that people have read. A change of it is to be read, too: run with {@code
 * -Dstowage.review=write}, and look at the difference.
 */
class ReviewedObjectsTest {

    private static final Path REVIEWED = Path.of("src/test/resources/weka");
    private static final RenderingSettings SETTINGS = new RenderingSettings(
            SidecarImages.of("ours", "provisioner", "resizer", "snapshotter"), "/var/lib/kubelet", Map.of(), 1);

    @Test
    void ofAClientAlone() throws IOException {
        check("plain.yaml", "csi.weka.io", "{image: client, nodeSelector: {weka: client}, tolerations: [dedicated]}");
    }

    @Test
    void ofAClientOfACluster() throws IOException {
        check(
                "target-cluster.yaml",
                "csi.prod-weka.weka.io",
                "{image: client, targetCluster: {name: prod, namespace: weka}}");
    }

    private static void check(String file, String driver, String spec) throws IOException {
        var client = Some.client(spec);
        var rendered = ClientDriver.of(
                driver,
                client,
                CsiConfig.NONE,
                Some.values(Some.ofTheChart()),
                SETTINGS,
                Volumes.NONE,
                Some.SERIALIZATION);
        assertThat(rendered.problems()).isEmpty();
        var objects = new ArrayList<>(rendered.rendering().objects());
        var metadata = rendered.names().beside(Part.NODE, "clients-one-csi-node");
        objects.add(new Placement(Some.SERIALIZATION, WekaResources.NODE_HASH, "manager")
                .pod(
                        "one",
                        metadata,
                        DriverPods.beside(rendered.rendering().nodePod(), Tolerations.of(client.getSpec()), Map.of())));
        String text = text(objects);
        var reviewed = REVIEWED.resolve(file);
        if ("write".equals(System.getProperty("stowage.review"))) {
            Files.writeString(reviewed, text);
        }
        assertThat(text).isEqualTo(Files.readString(reviewed));
    }

    private static String text(List<HasMetadata> objects) {
        return objects.stream().map(Some.SERIALIZATION::asYaml).collect(Collectors.joining());
    }
}
