package dev.stowage.driver.identity;

import static dev.stowage.driver.testing.TestingDriver.code;
import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerGetCapabilitiesRequest;
import csi.v1.ControllerGetVolumeHealthRequest;
import csi.v1.ControllerListVolumeHealthRequest;
import csi.v1.ControllerModifyVolumeRequest;
import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerServiceCapability.RPC;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.CreateSnapshotRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.GetCapacityRequest;
import csi.v1.GetMetadataAllocatedRequest;
import csi.v1.GetPluginCapabilitiesRequest;
import csi.v1.GetPluginInfoRequest;
import csi.v1.GetSnapshotRequest;
import csi.v1.GroupControllerGetCapabilitiesRequest;
import csi.v1.GroupControllerServiceCapability;
import csi.v1.ListSnapshotsRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.NodeGetCapabilitiesRequest;
import csi.v1.NodeGetInfoRequest;
import csi.v1.NodeServiceCapability;
import csi.v1.PluginCapability;
import csi.v1.PluginCapability.Service;
import csi.v1.ProbeRequest;
import dev.stowage.driver.testing.TestingBackend;
import dev.stowage.driver.testing.TestingBackend.Facet;
import dev.stowage.driver.testing.TestingDriver;
import io.grpc.Status.Code;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is declared is what is there, and what is not there is UNIMPLEMENTED. */
class CapabilitiesTest {

    private static final Set<RPC.Type> ALWAYS = Set.of(
            RPC.Type.CREATE_DELETE_VOLUME,
            RPC.Type.LIST_VOLUMES,
            RPC.Type.GET_VOLUME,
            RPC.Type.SINGLE_NODE_MULTI_WRITER);

    @Test
    void completeStorageDeclaresEveryCapabilityOfTheSpecification() {
        try (var driver = TestingDriver.complete()) {
            assertThat(controller(driver))
                    .containsExactlyInAnyOrderElementsOf(everyOf(RPC.Type.values(), RPC.Type.UNKNOWN));
            assertThat(plugin(driver))
                    .containsExactlyInAnyOrderElementsOf(everyOf(Service.Type.values(), Service.Type.UNKNOWN));
            assertThat(expansion(driver)).containsExactly(PluginCapability.VolumeExpansion.Type.ONLINE);
            assertThat(driver.node()
                            .nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance())
                            .getCapabilitiesList())
                    .extracting(capability -> capability.getRpc().getType())
                    .containsExactlyInAnyOrderElementsOf(
                            everyOf(NodeServiceCapability.RPC.Type.values(), NodeServiceCapability.RPC.Type.UNKNOWN));
            assertThat(driver.groups()
                            .groupControllerGetCapabilities(GroupControllerGetCapabilitiesRequest.getDefaultInstance())
                            .getCapabilitiesList())
                    .extracting(capability -> capability.getRpc().getType())
                    .containsExactly(GroupControllerServiceCapability.RPC.Type.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT);
        }
    }

    private static <T extends Enum<T>> List<T> everyOf(T[] values, T unknown) {
        return Arrays.stream(values)
                .filter(value -> value != unknown && !value.name().equals("UNRECOGNIZED"))
                .toList();
    }

    static Stream<Arguments> facets() {
        return Stream.of(
                Arguments.of(Facet.CLONES, EnumSet.of(RPC.Type.CLONE_VOLUME)),
                Arguments.of(
                        Facet.ATTACHMENTS,
                        EnumSet.of(
                                RPC.Type.PUBLISH_UNPUBLISH_VOLUME,
                                RPC.Type.PUBLISH_READONLY,
                                RPC.Type.LIST_VOLUMES_PUBLISHED_NODES)),
                Arguments.of(Facet.CAPACITY, EnumSet.of(RPC.Type.GET_CAPACITY)),
                Arguments.of(Facet.EXPANSION, EnumSet.of(RPC.Type.EXPAND_VOLUME)),
                Arguments.of(Facet.MODIFICATION, EnumSet.of(RPC.Type.MODIFY_VOLUME)),
                Arguments.of(
                        Facet.SNAPSHOTS,
                        EnumSet.of(RPC.Type.CREATE_DELETE_SNAPSHOT, RPC.Type.LIST_SNAPSHOTS, RPC.Type.GET_SNAPSHOT)),
                Arguments.of(Facet.HEALTH, EnumSet.of(RPC.Type.GET_VOLUME_HEALTH, RPC.Type.LIST_VOLUME_HEALTH)));
    }

    @ParameterizedTest
    @MethodSource("facets")
    void eachAbilityBringsItsCapabilities(Facet facet, Set<RPC.Type> capabilities) {
        try (var driver = TestingDriver.of(TestingBackend.with(Facet.CONTROLLER, facet))) {
            assertThat(controller(driver)).containsAll(ALWAYS).containsAll(capabilities);
            assertThat(controller(driver)).hasSize(ALWAYS.size() + capabilities.size());
        }
    }

    static Stream<Arguments> callsThatNeedAnAbility() {
        return Stream.of(
                need(
                        "publish",
                        driver -> driver.controller()
                                .controllerPublishVolume(ControllerPublishVolumeRequest.getDefaultInstance())),
                need(
                        "unpublish",
                        driver -> driver.controller()
                                .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.getDefaultInstance())),
                need("capacity", driver -> driver.controller().getCapacity(GetCapacityRequest.getDefaultInstance())),
                need(
                        "expand",
                        driver -> driver.controller()
                                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                                        .setCapacityRange(CapacityRange.getDefaultInstance())
                                        .build())),
                need(
                        "modify",
                        driver -> driver.controller()
                                .controllerModifyVolume(ControllerModifyVolumeRequest.getDefaultInstance())),
                need(
                        "create snapshot",
                        driver -> driver.controller().createSnapshot(CreateSnapshotRequest.getDefaultInstance())),
                need(
                        "delete snapshot",
                        driver -> driver.controller().deleteSnapshot(DeleteSnapshotRequest.getDefaultInstance())),
                need(
                        "list snapshots",
                        driver -> driver.controller().listSnapshots(ListSnapshotsRequest.getDefaultInstance())),
                need(
                        "get snapshot",
                        driver -> driver.controller().getSnapshot(GetSnapshotRequest.getDefaultInstance())),
                need(
                        "health",
                        driver -> driver.controller()
                                .controllerGetVolumeHealth(ControllerGetVolumeHealthRequest.getDefaultInstance())),
                need(
                        "list health",
                        driver -> driver.controller()
                                .controllerListVolumeHealth(ControllerListVolumeHealthRequest.getDefaultInstance())),
                need(
                        "groups",
                        driver -> driver.groups()
                                .groupControllerGetCapabilities(
                                        GroupControllerGetCapabilitiesRequest.getDefaultInstance())),
                need(
                        "blocks",
                        driver -> driver.metadata()
                                .getMetadataAllocated(GetMetadataAllocatedRequest.getDefaultInstance())
                                .next()),
                need("node", driver -> driver.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance())));
    }

    private static Arguments need(String name, Consumer<TestingDriver> call) {
        return Arguments.of(name, call);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("callsThatNeedAnAbility")
    void whatTheStorageLacksIsUnimplemented(String name, Consumer<TestingDriver> call) {
        try (var driver = TestingDriver.of(TestingBackend.with(Facet.CONTROLLER))) {
            assertThat(code(() -> call.accept(driver))).isEqualTo(Code.UNIMPLEMENTED);
            assertThat(driver.backend.received).isEmpty();
        }
    }

    @Test
    void publishedNodesAreOnlyTheBusinessOfStorageThatAttaches() {
        try (var driver = TestingDriver.of(TestingBackend.with(Facet.CONTROLLER))) {
            driver.backend.addVolume("a");
            assertThat(driver.controller()
                            .listVolumes(ListVolumesRequest.getDefaultInstance())
                            .getEntries(0)
                            .hasStatus())
                    .isFalse();
        }
    }

    @Test
    void aControllerAloneServesNoNodeAndDeclaresOnlyWhatItHas() {
        try (var driver = TestingDriver.of(TestingBackend.with(Facet.CONTROLLER))) {
            assertThat(plugin(driver)).containsExactly(Service.Type.CONTROLLER_SERVICE);
            assertThat(expansion(driver)).isEmpty();
        }
    }

    @Test
    void aNodeAloneStillTellsThatVolumesHavePlaces() {
        try (var driver = TestingDriver.of(TestingBackend.with(Facet.NODE, Facet.TOPOLOGY))) {
            assertThat(plugin(driver)).containsExactly(Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS);
            assertThat(code(() -> driver.controller().listVolumes(ListVolumesRequest.getDefaultInstance())))
                    .isEqualTo(Code.UNIMPLEMENTED);
        }
        try (var driver = TestingDriver.of(TestingBackend.with(Facet.NODE))) {
            assertThat(plugin(driver)).isEmpty();
            assertThat(driver.node()
                            .nodeGetInfo(NodeGetInfoRequest.getDefaultInstance())
                            .hasAccessibleTopology())
                    .isFalse();
        }
    }

    @Test
    void theDriverSaysWhoItIsAndThatItIsReady() {
        try (var driver = TestingDriver.complete()) {
            var info = driver.identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
            assertThat(info.getName()).isEqualTo(TestingDriver.NAME);
            assertThat(info.getVendorVersion()).isEqualTo("1.2.3");
            assertThat(driver.identity()
                            .probe(ProbeRequest.getDefaultInstance())
                            .getReady()
                            .getValue())
                    .isTrue();
        }
    }

    private static List<RPC.Type> controller(TestingDriver driver) {
        return driver
                .controller()
                .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList()
                .stream()
                .map(capability -> capability.getRpc().getType())
                .toList();
    }

    private static List<PluginCapability> pluginCapabilities(TestingDriver driver) {
        return driver.identity()
                .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList();
    }

    private static List<Service.Type> plugin(TestingDriver driver) {
        return pluginCapabilities(driver).stream()
                .filter(PluginCapability::hasService)
                .map(capability -> capability.getService().getType())
                .toList();
    }

    private static List<PluginCapability.VolumeExpansion.Type> expansion(TestingDriver driver) {
        return pluginCapabilities(driver).stream()
                .filter(PluginCapability::hasVolumeExpansion)
                .map(capability -> capability.getVolumeExpansion().getType())
                .toList();
    }
}
