package dev.stowage.conformance.hostile;

import static io.grpc.Status.Code.ABORTED;
import static io.grpc.Status.Code.FAILED_PRECONDITION;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.OK;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.rpc.Answer;
import dev.stowage.conformance.rpc.Rpc;
import dev.stowage.conformance.rpc.Scene;
import dev.stowage.conformance.rpc.Spot;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HostileTextTest {

    private static final Set<Status.Code> REFUSED = EnumSet.of(INVALID_ARGUMENT, NOT_FOUND, FAILED_PRECONDITION);

    private static final Set<String> MOUNTS = Set.of("NodeStageVolume", "NodePublishVolume");

    @Test
    void hostileTextInAnyFieldOfAnyRequestIsRefusedAndTouchesNothing() {
        try (var workspace = Workspace.create();
                var driver = RunningDriver.in(workspace).sharingBlocks("4Gi").start();
                var scene = Scene.set(driver.csi(), workspace)) {
            var watch = Watch.over(workspace, driver);
            var texts = HostileTexts.all(watch.canary().root(), watch.marker());
            var requests = new ArrayList<>(scene.requests());
            requests.addAll(scene.variants());
            requests.add(ephemeral(scene, workspace));
            var surprises = new TreeMap<String, List<String>>();
            var seen = new TreeMap<Status.Code, Integer>();
            for (Message request : requests) {
                for (Spot spot : Spot.in(request)) {
                    if (spot.secret()) {
                        // Nothing reads them; SecretsTest is about them.
                        continue;
                    }
                    for (var text : texts.entrySet()) {
                        var attack = spot.with().apply(text.getValue());
                        long before = watch.programsRun();
                        var answer = Rpc.call(driver.csi(), attack);
                        seen.merge(answer.code(), 1, Integer::sum);
                        boolean ran = watch.programsRun() != before;
                        if (!expected(Rpc.taking(request), spot, answer) || (ran && answer.code() != OK)) {
                            surprises
                                    .computeIfAbsent(
                                            "%s %s: %s%s"
                                                    .formatted(
                                                            Rpc.taking(request),
                                                            spot,
                                                            answer.code(),
                                                            ran ? ", ran a program" : ""),
                                            place -> new ArrayList<>())
                                    .add(text.getKey() + " (" + answer.text() + ")");
                        }
                        undo(driver.csi(), attack, answer);
                    }
                }
            }
            System.out.println("HostileTextTest: answers " + seen);
            watch.assertUnharmed();
            assertThat(surprises).isEmpty();
        }
    }

    /** A volume that a pod brings along: the one case in which contexts make something. */
    private static Message ephemeral(Scene scene, Workspace workspace) {
        return NodePublishVolumeRequest.newBuilder()
                .setVolumeId("csi-0123456789")
                .setTargetPath(
                        workspace.directory("pods/brought").resolve("target").toString())
                .setVolumeCapability(scene.used().capability())
                .putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
                .putVolumeContext("size", "8Mi")
                .putVolumeContext("mkfsOptions", "")
                .putVolumeContext("mountOptions", "")
                .build();
    }

    private static boolean expected(Rpc rpc, Spot spot, Answer answer) {
        if (REFUSED.contains(answer.code())) {
            return true;
        }
        return switch (answer.code()) {
            case OK -> harmless(rpc, spot);
            case ABORTED -> spot.field().equals("starting_token");
            // What an attack before this one has made, differently.
            case ALREADY_EXISTS -> Set.of("segments", "name").contains(spot.field());
            case RESOURCE_EXHAUSTED -> spot.field().equals("segments");
            default -> false;
        };
    }

    /**
     * Where hostile text is none of our business: maps may hold what belongs to others, names are only compared, a filesystem and its
     * flags matter where it is mounted, and gone is gone at any path.
     */
    private static boolean harmless(Rpc rpc, Spot spot) {
        return Set.of("segments", "volume_context", "publish_context", "parameters", "modifiable_parameters")
                        .contains(spot.field())
                || spot.field().equals("name")
                || (Set.of("fs_type", "mount_flags").contains(spot.field()) && !MOUNTS.contains(rpc.name()))
                || Set.of("target_path", "staging_target_path").contains(spot.path());
    }

    private static void undo(CsiClient csi, Message attack, Answer answer) {
        if (answer.code() == OK
                && attack instanceof NodePublishVolumeRequest published
                && published.getVolumeContextMap().containsKey("csi.storage.k8s.io/ephemeral")) {
            csi.node()
                    .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                            .setVolumeId(published.getVolumeId())
                            .setTargetPath(published.getTargetPath())
                            .build());
        }
    }
}
