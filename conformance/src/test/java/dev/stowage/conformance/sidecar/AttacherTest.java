package dev.stowage.conformance.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerServiceCapability.RPC.Type;
import csi.v1.VolumeCapability.AccessMode.Mode;
import dev.stowage.conformance.citizen.Http;
import dev.stowage.conformance.pool.Eventually;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.storage.VolumeAttachmentBuilder;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AttacherTest {

    private static final int MANY = 200;

    private final AttachScene scene = new AttachScene();

    @AfterEach
    void endTheScene() throws Exception {
        scene.close();
    }

    private String name(String what) {
        return what + "-" + scene.driverName;
    }

    @Test
    void aVolumeIsAttachedWhenItIsWishedForAndDetachedWhenItIsNoLonger() {
        scene.attacher();
        String volume = scene.makePersistentVolume(name("pv"));
        scene.wish(name("va"), name("pv"));
        var attached = scene.awaitAttached(name("va"));
        assertThat(scene.nodesOf(volume)).containsExactly(AttachScene.NODE_ID);
        assertThat(attached.getMetadata().getFinalizers()).containsExactly(scene.finalizer());
        assertThat(attached.getMetadata().getAnnotations())
                .containsEntry("csi.alpha.kubernetes.io/node-id", AttachScene.NODE_ID);
        assertThat(attached.getStatus().getAttachError()).isNull();
        assertThat(scene.proxy.attaches).hasSize(1);
        assertThat(persistentVolumeFinalizers()).contains(scene.finalizer());

        scene.unwish(name("va"));
        scene.awaitGone(name("va"));
        assertThat(scene.nodesOf(volume)).isEmpty();
        assertThat(scene.proxy.detaches).hasSize(1);
    }

    private List<String> persistentVolumeFinalizers() {
        return scene.kubernetes
                .persistentVolumes()
                .withName(name("pv"))
                .get()
                .getMetadata()
                .getFinalizers();
    }

    @Test
    void aPersistentVolumeThatIsDeletedStaysUntilItIsDetachedAndThenMayGo() {
        scene.attacher();
        scene.makePersistentVolume(name("pv"));
        scene.wish(name("va"), name("pv"));
        scene.awaitAttached(name("va"));
        scene.kubernetes.persistentVolumes().withName(name("pv")).delete();
        scene.unwish(name("va"));
        scene.awaitGone(name("va"));
        Eventually.assertThat(() -> assertThat(persistentVolumeFinalizers()).doesNotContain(scene.finalizer()));
    }

    @Test
    void aPersistentVolumeThatIsBeingDeletedIsNotAttachedAnyMore() {
        scene.makePersistentVolume(name("pv"));
        scene.kubernetes.persistentVolumes().withName(name("pv")).delete();
        scene.wish(name("va"), name("pv"));
        scene.attacher();
        scene.awaitAttachError(name("va"), "is being deleted");
        assertThat(scene.proxy.attaches).isEmpty();
    }

    @Test
    void whatTheDriverHasToSayAgainstItIsShownWithItsCodeAndIsGoneWhenItWorks() {
        scene.proxy.beforeAttach = request -> {
            throw Status.RESOURCE_EXHAUSTED.withDescription("full".repeat(1000)).asRuntimeException();
        };
        scene.attacher();
        scene.makePersistentVolume(name("pv"));
        scene.wish(name("va"), name("pv"));
        var error = scene.awaitAttachError(name("va"), "RESOURCE_EXHAUSTED: fullfull")
                .getStatus()
                .getAttachError();
        assertThat(error.getErrorCode()).isEqualTo(8);
        assertThat(error.getTime()).isNotEmpty();
        scene.proxy.beforeAttach = request -> {};
        assertThat(scene.awaitAttached(name("va")).getStatus().getAttachError()).isNull();
    }

    @Test
    void anErrorWhileDetachingIsShownAndTheAttachmentStaysUntilItWorks() {
        scene.attacher();
        scene.makePersistentVolume(name("pv"));
        scene.wish(name("va"), name("pv"));
        scene.awaitAttached(name("va"));
        scene.proxy.beforeDetach = request -> {
            throw Status.INTERNAL.withDescription("the array burns").asRuntimeException();
        };
        scene.unwish(name("va"));
        Eventually.assertThat(() -> {
            var error = scene.attachment(name("va")).orElseThrow().getStatus().getDetachError();
            assertThat(error.getMessage()).contains("the array burns");
            assertThat(error.getErrorCode()).isEqualTo(13);
        });
        scene.proxy.beforeDetach = request -> {};
        scene.awaitGone(name("va"));
    }

    @Test
    void secretsReachTheDriverAndNeitherALogNorAStatusNorAnAnnotation() {
        String canary = "canary-" + name("secret");
        scene.kubernetes
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(name("secret"))
                        .withNamespace("default")
                        .endMetadata()
                        .addToStringData("password", canary)
                        .build())
                .create();
        var attacher = scene.attacher("--v=8");
        String volume = scene.makeVolume(name("pv"));
        var withSecret = scene.persistentVolume(name("pv"), volume)
                .edit()
                .editSpec()
                .editCsi()
                .withNewControllerPublishSecretRef(name("secret"), "default")
                .endCsi()
                .endSpec()
                .build();
        scene.kubernetes.resource(withSecret).create();
        scene.proxy.beforeAttach = request -> {
            throw Status.UNAUTHENTICATED
                    .withDescription("wrong password " + request.getSecretsOrThrow("password"))
                    .asRuntimeException();
        };
        scene.wish(name("va"), name("pv"));
        scene.awaitAttachError(name("va"), "wrong password <stripped>");
        scene.proxy.beforeAttach = request -> {};
        var attached = scene.awaitAttached(name("va"));
        assertThat(scene.proxy.attaches.getLast().getSecretsMap()).isEqualTo(Map.of("password", canary));

        // The secret may be gone before the volume is detached: the driver is asked all the same.
        scene.kubernetes
                .secrets()
                .inNamespace("default")
                .withName(name("secret"))
                .delete();
        scene.unwish(name("va"));
        scene.awaitGone(name("va"));
        assertThat(attacher.log()).contains("ControllerPublishVolume is called").doesNotContain(canary);
        assertThat(attached.toString()).doesNotContain(canary);
    }

    @Test
    void aSecretThatIsMissingIsNamedAndUsedAsSoonAsItIsThere() {
        scene.attacher();
        String volume = scene.makeVolume(name("pv"));
        scene.kubernetes
                .resource(scene.persistentVolume(name("pv"), volume)
                        .edit()
                        .editSpec()
                        .editCsi()
                        .withNewControllerPublishSecretRef(name("secret"), "default")
                        .endCsi()
                        .endSpec()
                        .build())
                .create();
        scene.wish(name("va"), name("pv"));
        scene.awaitAttachError(name("va"), "Secret default/" + name("secret"));
        var secret = new SecretBuilder()
                .withNewMetadata()
                .withName(name("secret"))
                .withNamespace("default")
                .endMetadata()
                .build();
        scene.kubernetes.resource(secret).create();
        scene.awaitAttached(name("va"));
        scene.kubernetes.resource(secret).delete();
    }

    @Test
    void anAttachmentWaitsForItsPersistentVolumeAndForItsNode() {
        scene.removeNode();
        scene.attacher("--retry-interval-start=10m", "--retry-interval-max=10m");
        String volume = scene.makeVolume(name("pv"));
        scene.wish(name("va"), name("pv"));
        scene.awaitAttachError(name("va"), "PersistentVolume " + name("pv"));
        scene.kubernetes.resource(scene.persistentVolume(name("pv"), volume)).create();
        scene.awaitAttachError(name("va"), "node " + scene.node + " does not have the driver");
        assertThat(scene.attachment(name("va")).orElseThrow().getMetadata().getFinalizers())
                .isEmpty();
        scene.makeNode(AttachScene.NODE_ID);
        scene.awaitAttached(name("va"));
        assertThat(scene.nodesOf(volume)).containsExactly(AttachScene.NODE_ID);
    }

    @Test
    void aVolumeIsDetachedFromANodeThatIsGone() {
        scene.attacher();
        String volume = scene.makePersistentVolume(name("pv"));
        scene.wish(name("va"), name("pv"));
        scene.awaitAttached(name("va"));
        scene.removeNode();
        scene.unwish(name("va"));
        scene.awaitGone(name("va"));
        assertThat(scene.nodesOf(volume)).isEmpty();
    }

    @Test
    void aDriverThatGoesAndComesBackIsWaitedForAndThenNothingWaitsAnyLonger() {
        var attacher = scene.attacher("--retry-interval-start=10m", "--retry-interval-max=10m");
        String volume = scene.makePersistentVolume(name("pv"));
        Eventually.assertThat(() -> assertThat(attacher.log()).contains("as the driver does it"));
        scene.proxy.close();
        scene.wish(name("va"), name("pv"));
        scene.awaitAttachError(name("va"), "UNAVAILABLE");
        try (var proxy = TestingProxy.between(scene.proxySocket(), scene.driverSocket())) {
            scene.awaitAttached(name("va"));
            assertThat(scene.nodesOf(volume)).containsExactly(AttachScene.NODE_ID);
            assertThat(proxy.attaches).hasSize(1);
            assertThat(attacher.process().isAlive()).isTrue();
        }
    }

    @Test
    void aDriverThatComesBackWithOtherAbilitiesHasTheAttacherStartAnew() {
        var attacher = scene.attacher();
        Eventually.assertThat(() -> assertThat(attacher.log()).contains("as the driver does it"));
        scene.proxy.close();
        try (var other = TestingProxy.between(scene.proxySocket(), scene.driverSocket())) {
            other.hidden.add(Type.PUBLISH_UNPUBLISH_VOLUME);
            assertThat(attacher.exitCode()).isEqualTo(1);
            assertThat(attacher.log()).contains("starting anew");
        }
    }

    @Test
    void anAttacherThatStartsBeforeTheDriverWaitsForIt() {
        scene.proxy.close();
        var attacher = scene.attacher();
        Eventually.assertThat(() -> assertThat(attacher.port()).isPositive());
        try (var proxy = TestingProxy.between(scene.proxySocket(), scene.driverSocket())) {
            scene.makePersistentVolume(name("pv"));
            scene.wish(name("va"), name("pv"));
            scene.awaitAttached(name("va"));
            assertThat(proxy.attaches).isNotEmpty();
        }
    }

    @Test
    void anAttachThatTimedOutIsDetachedBeforeItIsForgotten() {
        scene.attacher("--timeout=1s");
        String volume = scene.makePersistentVolume(name("pv"));
        // The driver attaches, and its answer is lost.
        scene.proxy.afterAttach = request -> pause(3_000);
        scene.wish(name("va"), name("pv"));
        var error = scene.awaitAttachError(name("va"), "DEADLINE_EXCEEDED")
                .getStatus()
                .getAttachError();
        assertThat(error.getErrorCode()).isEqualTo(4);
        assertThat(scene.attachment(name("va")).orElseThrow().getStatus().getAttached())
                .isFalse();
        assertThat(scene.nodesOf(volume)).containsExactly(AttachScene.NODE_ID);
        scene.unwish(name("va"));
        scene.awaitGone(name("va"));
        assertThat(scene.proxy.detaches).isNotEmpty();
        assertThat(scene.nodesOf(volume)).isEmpty();
    }

    @Test
    void anAttachmentThatIsDeletedWhileItIsAttachedIsDetachedAfterwards() {
        scene.attacher();
        String volume = scene.makePersistentVolume(name("pv"));
        scene.proxy.beforeAttach = request -> pause(2_000);
        scene.wish(name("va"), name("pv"));
        Eventually.assertThat(() -> assertThat(scene.proxy.attaches).isNotEmpty());
        scene.unwish(name("va"));
        scene.awaitGone(name("va"));
        assertThat(scene.proxy.detaches).isNotEmpty();
        assertThat(scene.nodesOf(volume)).isEmpty();
    }

    @Test
    void manyVolumesAreAttachedAtOnceAndDetachedAtOnce() {
        var volumes = IntStream.range(0, MANY)
                .mapToObj(i -> scene.makePersistentVolume(name("pv" + i)))
                .toList();
        scene.proxy.beforeAttach = request -> pause(500);
        scene.attacher();
        IntStream.range(0, MANY).forEach(i -> scene.wish(name("va" + i), name("pv" + i)));
        IntStream.range(0, MANY).forEach(i -> scene.awaitAttached(name("va" + i)));
        assertThat(scene.proxy.mostAtOnce.get()).isGreaterThan(20);
        assertThat(scene.proxy.attaches.stream()
                        .map(ControllerPublishVolumeRequest::getVolumeId)
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(volumes);
        IntStream.range(0, MANY).forEach(i -> scene.unwish(name("va" + i)));
        IntStream.range(0, MANY).forEach(i -> scene.awaitGone(name("va" + i)));
        assertThat(volumes)
                .allSatisfy(volume -> assertThat(scene.proxy.detaches)
                        .anyMatch(request -> request.getVolumeId().equals(volume)));
    }

    @Test
    void whatAPersistentVolumeSaysReachesTheDriver() {
        scene.attacher("-default-fstype=xfs");
        String volume = scene.makeVolume(name("pv"));
        scene.kubernetes
                .resource(new VolumeAttachmentBuilder()
                        .withNewMetadata()
                        .withName(name("va"))
                        .endMetadata()
                        .withNewSpec()
                        .withAttacher(scene.driverName)
                        .withNodeName(scene.node)
                        .withNewSource()
                        .withInlineVolumeSpec(scene.persistentVolume("inline", volume)
                                .edit()
                                .editSpec()
                                .withCapacity(null)
                                .withPersistentVolumeReclaimPolicy(null)
                                .withAccessModes("ReadWriteOncePod")
                                .withMountOptions("noatime")
                                .editCsi()
                                .withFsType(null)
                                .withVolumeAttributes(Map.of("tier", "gold"))
                                .endCsi()
                                .endSpec()
                                .build()
                                .getSpec())
                        .endSource()
                        .endSpec()
                        .build())
                .create();
        scene.awaitAttached(name("va"));
        var request = scene.proxy.attaches.getLast();
        assertThat(request.getVolumeId()).isEqualTo(volume);
        assertThat(request.getNodeId()).isEqualTo(AttachScene.NODE_ID);
        assertThat(request.getVolumeCapability().getAccessMode().getMode()).isEqualTo(Mode.SINGLE_NODE_SINGLE_WRITER);
        assertThat(request.getVolumeCapability().getMount().getFsType()).isEqualTo("xfs");
        assertThat(request.getVolumeCapability().getMount().getMountFlagsList()).containsExactly("noatime");
        assertThat(request.getVolumeContextMap()).isEqualTo(Map.of("tier", "gold"));
        scene.unwish(name("va"));
        scene.awaitGone(name("va"));
        assertThat(scene.nodesOf(volume)).isEmpty();
    }

    @Test
    void figuresAreServedUnderTheNamesOfTheStockSidecars() {
        var attacher = scene.attacher();
        scene.makePersistentVolume(name("pv"));
        scene.wish(name("va"), name("pv"));
        scene.awaitAttached(name("va"));
        assertThat(new Http(attacher.port()).get("/metrics").body())
                .contains("csi_sidecar_operations_seconds_count{driver_name=\"" + scene.driverName
                        + "\",grpc_status_code=\"OK\",method_name=\"/csi.v1.Controller/ControllerPublishVolume\"} 1");
    }

    static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException cutOff) {
            Thread.currentThread().interrupt();
        }
    }
}
