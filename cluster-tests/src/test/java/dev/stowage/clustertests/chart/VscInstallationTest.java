package dev.stowage.clustertests.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the chart leaves alone when it is upgraded, removed and installed again. */
@NeedsCluster
class VscInstallationTest {

    private final VscRelease release;

    VscInstallationTest(Cluster cluster) {
        release = new VscRelease(cluster);
    }

    @BeforeEach
    void install() {
        release.install("");
    }

    @AfterEach
    void remove() {
        release.close();
    }

    @Test
    void theKeyOutlivesUpgradesAndTheRelease() {
        String made = key("GLOBAL_ENCRYPTION_KEY");
        assertThat(made).matches("[A-Za-z0-9]{32}");

        release.install("vsc: {allocator: even}");
        assertThat(key("GLOBAL_ENCRYPTION_KEY")).isEqualTo(made);

        release.uninstall();
        assertThat(key("GLOBAL_ENCRYPTION_KEY")).isEqualTo(made);
        release.install("");
        assertThat(key("GLOBAL_ENCRYPTION_KEY")).isEqualTo(made);
    }

    @Test
    void anUpgradeLeavesKeysThatSomebodyReplaced() {
        String made = key("GLOBAL_ENCRYPTION_KEY");
        String next = "abcdefghijklmnopqrstuvwxyz012345";
        release.kubectl(
                "patch",
                "secret",
                VscRelease.NAME + "-encryption-secret",
                "--type=merge",
                "--patch={\"stringData\": {\"GLOBAL_ENCRYPTION_KEY\": \"%s\", \"PREVIOUS\": \"%s\"}}"
                        .formatted(next, made));

        release.install("vsc: {allocator: linear}");

        assertThat(key("GLOBAL_ENCRYPTION_KEY")).isEqualTo(next);
        assertThat(key("PREVIOUS")).isEqualTo(made);
    }

    @Test
    void resourcesAndTheInitiatorsOfNodesStayWithoutTheRelease() {
        release.apply("""
                apiVersion: storage.zadara.com/v1
                kind: VSCStorageClass
                metadata: {name: chart-test}
                spec: {displayName: Chart test}
                """);
        String daemonSet = release.kubectl("get", "daemonset", VscRelease.NAME + "-initiator", "--output=name");

        release.uninstall();

        assertThat(release.kubectl("get", "vscsc", "chart-test", "--output=name"))
                .isEqualTo("vscstorageclass.storage.zadara.com/chart-test\n");
        assertThat(release.kubectl("get", "daemonsets,deployments", "--output=name"))
                .isEqualTo(daemonSet);
        release.install("");
        release.kubectl("delete", "vscsc", "chart-test");
    }

    private String key(String name) {
        return new String(
                Base64.getDecoder()
                        .decode(release.kubectl(
                                "get",
                                "secret",
                                VscRelease.NAME + "-encryption-secret",
                                "--output=jsonpath={.data." + name + "}")),
                StandardCharsets.UTF_8);
    }
}
