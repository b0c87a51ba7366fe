package dev.stowage.conformance.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateVolumeResponse;
import csi.v1.DeleteVolumeRequest;
import csi.v1.ListSnapshotsRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnstageVolumeRequest;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import io.grpc.Status.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConcurrencyTest {

    private static final int CALLERS = 16;
    private static final int VOLUMES = 8;
    private static final int RANDOM_CALLS = 30;
    private static final long SEED = 20_260_101L;
    private static final long SIZE = 64 * Claim.MIB;

    @Test
    void oneCallByManyAtOnceIsDoneOnceAndTheOthersAreToldSoOrToComeBack() throws Exception {
        try (var workspace = Workspace.create();
                var driver = RunningDriver.in(workspace).sharingBlocks("4Gi").start()) {
            var csi = driver.csi();
            var use = CsiClient.mounted("ext4");
            var created = (CreateVolumeResponse) crowd(csi, Claim.request("pvc", SIZE, use, Map.of()));
            var claim = new Claim(csi, workspace, created.getVolume(), use);
            assertThat(volumes(csi)).isEqualTo(1);
            crowd(csi, claim.attachRequest());
            crowd(csi, claim.stageRequest());
            crowd(csi, claim.publishRequest("pod"));
            assertThat(workspace.mounts()).contains(claim.staging(), claim.target("pod"));
            crowd(csi, snapshot(claim));
            assertThat(csi.controller()
                            .listSnapshots(ListSnapshotsRequest.getDefaultInstance())
                            .getEntriesCount())
                    .isEqualTo(1);
            crowd(csi, expand(claim));
            crowd(csi, unpublish(claim));
            crowd(csi, unstage(claim));
            crowd(csi, detach(claim));
            Scene.clear(csi);
            crowd(csi, DeleteVolumeRequest.newBuilder().setVolumeId(claim.id()).build());
            assertThat(volumes(csi)).isZero();
        }
    }

    /** Sends the same request from many threads at once; those that were served were all told the same. */
    private static Message crowd(CsiClient csi, Message request) throws Exception {
        var barrier = new CyclicBarrier(CALLERS);
        var answers = inParallel(CALLERS, caller -> () -> {
            barrier.await();
            return Rpc.call(csi, request);
        });
        assertThat(answers)
                .extracting(Answer::code)
                .isSubsetOf(Code.OK, Code.ABORTED)
                .contains(Code.OK);
        assertThat(answers.stream().filter(answer -> answer.code() == Code.OK).distinct())
                .hasSize(1);
        return Rpc.call(csi, request).messages().getFirst();
    }

    @Test
    void differentCallsOnOneVolumeNeverOverlapAndLeaveAConsistentEnd() throws Exception {
        System.out.println("ConcurrencyTest: seed " + SEED);
        try (var workspace = Workspace.create();
                var driver = RunningDriver.in(workspace).sharingBlocks("4Gi").start()) {
            var csi = driver.csi();
            var claim = Claim.create(csi, workspace, "pvc", SIZE, CsiClient.mounted("ext4"));
            List<Message> calls = List.of(
                    claim.attachRequest(),
                    claim.stageRequest(),
                    claim.publishRequest("pod"),
                    unpublish(claim),
                    unstage(claim),
                    detach(claim),
                    snapshot(claim),
                    expand(claim));
            var answers = inParallel(VOLUMES, caller -> () -> {
                var random = new Random(SEED + caller);
                return IntStream.range(0, RANDOM_CALLS)
                        .mapToObj(i -> Rpc.call(csi, calls.get(random.nextInt(calls.size()))))
                        .toList();
            });
            // What comes in the wrong order is refused, as it is when it comes alone.
            assertThat(answers.stream().flatMap(List::stream))
                    .extracting(Answer::code)
                    .isSubsetOf(Code.OK, Code.ABORTED, Code.FAILED_PRECONDITION);
            claim.release("pod");
            assertThat(workspace.mounts()).noneMatch(mount -> mount.startsWith(claim.staging()));
            assertThat(claim.use("pod")).isDirectory();
            claim.release("pod");
            Scene.clear(csi);
            assertThat(volumes(csi)).isZero();
        }
    }

    @Test
    void callsOnDifferentVolumesAreNeverTurnedAway() throws Exception {
        try (var workspace = Workspace.create();
                var driver = RunningDriver.in(workspace).sharingBlocks("4Gi").start()) {
            var csi = driver.csi();
            var use = CsiClient.mounted("ext4");
            var answers = inParallel(VOLUMES, caller -> () -> {
                var created = Rpc.call(csi, Claim.request("pvc-" + caller, SIZE, use, Map.of()));
                var volume = ((CreateVolumeResponse) created.messages().getFirst()).getVolume();
                var claim = new Claim(csi, workspace, volume, use);
                return List.<Message>of(
                                claim.attachRequest(),
                                claim.stageRequest(),
                                claim.publishRequest("pod-" + caller),
                                expand(claim),
                                NodeUnpublishVolumeRequest.newBuilder()
                                        .setVolumeId(claim.id())
                                        .setTargetPath(
                                                claim.target("pod-" + caller).toString())
                                        .build(),
                                unstage(claim),
                                detach(claim),
                                DeleteVolumeRequest.newBuilder()
                                        .setVolumeId(claim.id())
                                        .build())
                        .stream()
                        .map(request -> Rpc.call(csi, request))
                        .toList();
            });
            assertThat(answers.stream().flatMap(List::stream))
                    .allSatisfy(answer ->
                            assertThat(answer.code()).as(answer.toString()).isEqualTo(Code.OK));
            assertThat(volumes(csi)).isZero();
        }
    }

    private static <T> List<T> inParallel(int callers, IntFunction<Callable<T>> work)
            throws InterruptedException, ExecutionException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var tasks = IntStream.range(0, callers).mapToObj(work).toList();
            var results = new ArrayList<T>();
            for (Future<T> done : threads.invokeAll(tasks)) {
                results.add(done.get());
            }
            return results;
        }
    }

    private static int volumes(CsiClient csi) {
        return csi.controller()
                .listVolumes(ListVolumesRequest.getDefaultInstance())
                .getEntriesCount();
    }

    private static Message snapshot(Claim claim) {
        return CreateSnapshotRequest.newBuilder()
                .setName("snapshot")
                .setSourceVolumeId(claim.id())
                .build();
    }

    /** To the size that it has: ext4 cannot grow while mounted with no more than the right to mount. */
    private static Message expand(Claim claim) {
        return ControllerExpandVolumeRequest.newBuilder()
                .setVolumeId(claim.id())
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(SIZE))
                .build();
    }

    private static Message unpublish(Claim claim) {
        return NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(claim.id())
                .setTargetPath(claim.target("pod").toString())
                .build();
    }

    private static Message unstage(Claim claim) {
        return NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(claim.id())
                .setStagingTargetPath(claim.staging().toString())
                .build();
    }

    private static Message detach(Claim claim) {
        return ControllerUnpublishVolumeRequest.newBuilder()
                .setVolumeId(claim.id())
                .setNodeId(RunningDriver.NODE)
                .build();
    }
}
