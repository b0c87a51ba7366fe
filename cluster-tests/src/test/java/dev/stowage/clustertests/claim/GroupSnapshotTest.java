package dev.stowage.clustertests.claim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.workbench.cluster.Cluster;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Several volumes at one instant. */
@NeedsCluster(nodes = 2)
class GroupSnapshotTest {
    private static final JsonMapper JSON = new JsonMapper();

    private final Cluster cluster;

    @AutoClose
    private final Workload workload;

    GroupSnapshotTest(Cluster cluster) {
        this.cluster = cluster;
        workload = Workload.in(cluster);
    }

    @Test
    void allMembersOfAGroupAreRestoredAsTheyWereTogether() throws JsonProcessingException {
        workload.claim("table", "400Mi", "");
        workload.claim("journal", "400Mi", "");
        withBoth("user", "table", "journal").start(workload);
        workload.shell("user", "echo 1 > /table/note && echo 1 > /journal/note && sync");
        workload.namespace().kubectl("label", "persistentvolumeclaim", "table", "journal", "group=database");

        snapshotGroup();
        workload.shell("user", "echo 2 > /table/note && echo 2 > /journal/note && sync");

        var members = members();
        assertThat(members).containsOnlyKeys("table", "journal");
        ClaimManifest.of("old-table", "400Mi")
                .fromSnapshot(Objects.requireNonNull(members.get("table")))
                .create(workload);
        ClaimManifest.of("old-journal", "400Mi")
                .fromSnapshot(Objects.requireNonNull(members.get("journal")))
                .create(workload);
        withBoth("restorer", "old-table", "old-journal").start(workload);
        assertThat(workload.shell("restorer", "cat /table/note /journal/note")).isEqualTo("1\n1\n");
        assertThat(workload.shell("user", "cat /table/note /journal/note")).isEqualTo("2\n2\n");
    }

    private static PodManifest withBoth(String name, String table, String journal) {
        return PodManifest.named(name)
                .claim("table", table)
                .claim("journal", journal)
                .mount("{name: table, mountPath: /table}")
                .mount("{name: journal, mountPath: /journal}");
    }

    private void snapshotGroup() {
        workload.namespace().apply("""
                apiVersion: groupsnapshot.storage.k8s.io/v1beta1
                kind: VolumeGroupSnapshot
                metadata: {name: database}
                spec:
                  volumeGroupSnapshotClassName: stowage
                  source: {selector: {matchLabels: {group: database}}}
                """);
        workload.namespace()
                .kubectl(
                        "wait",
                        "--for=jsonpath={.status.readyToUse}=true",
                        "--timeout=180s",
                        "volumegroupsnapshot/database");
    }

    /** The name of each member, by the name of the claim it was taken of. */
    private Map<String, String> members() throws JsonProcessingException {
        var members = new HashMap<String, String>();
        for (var snapshot : JSON.readTree(workload.namespace().kubectl("get", "volumesnapshots", "--output=json"))
                .path("items")) {
            assertThat(snapshot.at("/status/volumeGroupSnapshotName").asText()).isEqualTo("database");
            var content = snapshot.at("/status/boundVolumeSnapshotContentName").asText();
            var handle = cluster.kubectl()
                    .run("get", "volumesnapshotcontent", content, "--output=jsonpath={.spec.source.volumeHandle}");
            for (var claim : new String[] {"table", "journal"}) {
                if (ClaimedVolume.of(cluster, workload, claim).id().equals(handle)) {
                    members.put(claim, snapshot.at("/metadata/name").asText());
                }
            }
        }
        return members;
    }
}
