package dev.stowage.conformance.rpc;

import static io.grpc.Status.Code.ABORTED;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.OK;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import csi.v1.GetCapacityResponse;
import csi.v1.NodeGetVolumeStatsResponse;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

class EveryRpcTest {

    private static final int CALLS_OF_CSI_1_13 = 36;

    /** The calls that ask for nothing in particular; every other one has a field that must be there. */
    private static final Set<String> NOTHING_REQUIRED = Set.of(
            "GetPluginInfo",
            "GetPluginCapabilities",
            "Probe",
            "ListVolumes",
            "ControllerListVolumeHealth",
            "GetCapacity",
            "ControllerGetCapabilities",
            "ListSnapshots",
            "GroupControllerGetCapabilities",
            "NodeGetStorageHealth",
            "NodeGetCapabilities",
            "NodeGetInfo");

    /** An id that names nothing is NOT_FOUND, except where gone is what is wanted, or where a listing is asked for. */
    private static final Map<String, Status.Code> UNKNOWN_IS_NOT_AN_ERROR = Map.of(
            "DeleteVolume volume_id", OK,
            "DeleteSnapshot snapshot_id", OK,
            "DeleteVolumeGroupSnapshot group_snapshot_id", OK,
            "ControllerUnpublishVolume volume_id", OK,
            "ControllerUnpublishVolume node_id", OK,
            "NodeUnstageVolume volume_id", OK,
            "NodeUnpublishVolume volume_id", OK,
            "ListSnapshots snapshot_id", OK,
            "ListSnapshots source_volume_id", OK);

    /** Which codes each call has answered with. */
    private final Map<String, Set<Status.Code>> seen = new TreeMap<>();

    @Test
    void everyCallIsServedAndAnswersAsItsTableSays() {
        try (var workspace = Workspace.create();
                var driver = RunningDriver.in(workspace).sharingBlocks("4Gi").start();
                var scene = Scene.set(driver.csi(), workspace)) {
            var softly = new SoftAssertions();
            rightRequests(driver.csi(), scene, softly);
            emptyRequests(driver.csi(), softly);
            unknownIds(driver.csi(), scene, softly);
            tokensNeverGivenOut(driver.csi(), softly);
            print();
            softly.assertAll();
        }
        assertThat(Rpc.all()).hasSize(CALLS_OF_CSI_1_13);
        assertThat(Rpc.all()).allSatisfy(rpc -> assertThat(seen.get(rpc.name())).contains(OK));
    }

    /** Each is sent three times in the middle of the others, and says the same each time. */
    private void rightRequests(CsiClient csi, Scene scene, SoftAssertions softly) {
        var before = new ArrayList<Answer>();
        for (Message request : scene.requests()) {
            before.add(send(csi, request));
        }
        for (int repeat = 0; repeat < 2; repeat++) {
            for (int i = 0; i < before.size(); i++) {
                var request = scene.requests().get(i);
                var answer = send(csi, request);
                softly.assertThat(answer.code())
                        .as("%s: %s", Rpc.taking(request), answer)
                        .isEqualTo(OK);
                softly.assertThat(comparable(answer))
                        .as("%s, repeated", Rpc.taking(request))
                        .isEqualTo(comparable(before.get(i)));
            }
        }
    }

    /** How much room is left changes by itself, since filesystems write when they like. */
    private static List<Message> comparable(Answer answer) {
        return answer.messages().stream()
                .filter(message -> !(message instanceof GetCapacityResponse))
                .filter(message -> !(message instanceof NodeGetVolumeStatsResponse))
                .toList();
    }

    private void emptyRequests(CsiClient csi, SoftAssertions softly) {
        for (Rpc rpc : Rpc.all()) {
            var answer = send(csi, rpc.emptyRequest());
            softly.assertThat(answer.code())
                    .as("%s with an empty request: %s", rpc, answer)
                    .isEqualTo(NOTHING_REQUIRED.contains(rpc.name()) ? OK : INVALID_ARGUMENT);
        }
    }

    private void unknownIds(CsiClient csi, Scene scene, SoftAssertions softly) {
        var requests = new ArrayList<>(scene.requests());
        requests.addAll(scene.variants());
        for (Message request : requests) {
            for (Spot spot : Spot.in(request)) {
                if (!spot.field().matches(".*_ids?")) {
                    continue;
                }
                String call = Rpc.taking(request) + " " + spot.field();
                var expected = switch (call) {
                    // The group is known and has other members.
                    case "GetVolumeGroupSnapshot snapshot_ids" -> INVALID_ARGUMENT;
                    // The group is gone, whatever its members were.
                    case "DeleteVolumeGroupSnapshot snapshot_ids" -> OK;
                    // The name is taken by a group or snapshot of other volumes.
                    case "CreateVolumeGroupSnapshot source_volume_ids", "CreateSnapshot source_volume_id" ->
                        Status.Code.ALREADY_EXISTS;
                    default -> UNKNOWN_IS_NOT_AN_ERROR.getOrDefault(call, NOT_FOUND);
                };
                var answer = send(csi, spot.with().apply("unknown-1"));
                softly.assertThat(answer.code())
                        .as("%s of nothing (%s): %s", call, spot, answer)
                        .isEqualTo(expected);
            }
        }
    }

    private void tokensNeverGivenOut(CsiClient csi, SoftAssertions softly) {
        for (String listing : List.of("ListVolumes", "ListSnapshots", "ControllerListVolumeHealth")) {
            for (String token : List.of("never-given-out", "after:", "after:../x", "1")) {
                var empty = Rpc.named(listing).emptyRequest();
                var field = empty.getDescriptorForType().findFieldByName("starting_token");
                var answer = send(csi, empty.toBuilder().setField(field, token).build());
                softly.assertThat(answer.code())
                        .as("%s from token %s", listing, token)
                        .isEqualTo(ABORTED);
            }
        }
    }

    private Answer send(CsiClient csi, Message request) {
        var answer = Rpc.call(csi, request);
        seen.computeIfAbsent(Rpc.taking(request).name(), name -> EnumSet.noneOf(Status.Code.class))
                .add(answer.code());
        return answer;
    }

    private void print() {
        var codes = new TreeSet<Status.Code>();
        seen.values().forEach(codes::addAll);
        var table = new StringBuilder("%-30s".formatted("call"));
        codes.forEach(code -> table.append(" %-16s".formatted(code)));
        for (Rpc rpc : Rpc.all()) {
            table.append("\n%-30s".formatted(rpc));
            codes.forEach(code -> table.append(
                    " %-16s".formatted(seen.getOrDefault(rpc.name(), Set.of()).contains(code) ? "seen" : "-")));
        }
        System.out.println(table);
    }
}
