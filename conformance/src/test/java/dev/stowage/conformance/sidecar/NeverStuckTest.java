package dev.stowage.conformance.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerServiceCapability.RPC.Type;
import csi.v1.ControllerUnpublishVolumeRequest;
import dev.stowage.conformance.pool.Eventually;
import io.grpc.Status;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NeverStuckTest {

    private static final String VERY_RARELY = "--reconcile-sync=10h";

    private final AttachScene scene = new AttachScene();

    @AfterEach
    void endTheScene() throws Exception {
        scene.close();
    }

    private String name(String what) {
        return what + "-" + scene.driverName;
    }

    private String attached(String... flags) {
        scene.attacher(flags);
        String volume = scene.makePersistentVolume(name("pv"));
        scene.wish(name("va"), name("pv"));
        scene.awaitAttached(name("va"));
        return volume;
    }

    @Test
    void aVolumeThatLostItsAttachmentBehindEverybodysBackIsAttachedAgain() {
        String volume = attached("--reconcile-sync=500ms");
        var _ = scene.csi()
                .controller()
                .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(volume)
                        .setNodeId(AttachScene.NODE_ID)
                        .build());
        Eventually.assertThat(() -> assertThat(scene.nodesOf(volume)).containsExactly(AttachScene.NODE_ID));
        scene.awaitAttached(name("va"));
    }

    @Test
    void anAttachmentThatCannotBeBroughtBackIsNoLongerSaidToBeThere() {
        String volume = attached("--reconcile-sync=500ms");
        scene.proxy.beforeAttach = request -> {
            throw Status.FAILED_PRECONDITION
                    .withDescription("taken by somebody else")
                    .asRuntimeException();
        };
        var _ = scene.csi()
                .controller()
                .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(volume)
                        .setNodeId(AttachScene.NODE_ID)
                        .build());
        scene.awaitAttachError(name("va"), "taken by somebody else");
        Eventually.assertThat(() -> assertThat(
                        scene.attachment(name("va")).orElseThrow().getStatus().getAttached())
                .isFalse());
        scene.proxy.beforeAttach = request -> {};
        scene.awaitAttached(name("va"));
    }

    @Test
    void aVolumeThatIsAttachedAlthoughItsAttachmentDoesNotSaySoIsSaidToBe() {
        scene.attacher("--reconcile-sync=500ms", "--retry-interval-start=10m", "--retry-interval-max=10m");
        scene.proxy.beforeAttach = request -> {
            throw Status.UNAVAILABLE.withDescription("try later").asRuntimeException();
        };
        String volume = scene.makePersistentVolume(name("pv"));
        scene.wish(name("va"), name("pv"));
        scene.awaitAttachError(name("va"), "try later");
        scene.proxy.beforeAttach = request -> {};
        var _ = scene.csi()
                .controller()
                .controllerPublishVolume(ControllerPublishVolumeRequest.newBuilder()
                        .setVolumeId(volume)
                        .setNodeId(AttachScene.NODE_ID)
                        .setVolumeCapability(scene.proxy.attaches.getLast().getVolumeCapability())
                        .build());
        scene.awaitAttached(name("va"));
    }

    @Test
    void aVolumeWhosePersistentVolumeWasTakenAwayByForceIsDetached() {
        String volume = attached(VERY_RARELY);
        scene.kubernetes.persistentVolumes().withName(name("pv")).delete();
        scene.changePersistentVolume(name("pv"), found -> {
            found.getMetadata().setFinalizers(List.of());
            return found;
        });
        Eventually.assertThat(() -> assertThat(scene.kubernetes
                        .persistentVolumes()
                        .withName(name("pv"))
                        .get())
                .isNull());
        scene.unwish(name("va"));
        scene.awaitGone(name("va"));
        assertThat(scene.nodesOf(volume)).isEmpty();
    }

    @Test
    void whatTheDriverNeitherFindsNorListsAnyMoreIsLetGo() {
        String volume = attached(VERY_RARELY);
        scene.proxy.beforeDetach = request -> {
            throw Status.NOT_FOUND.withDescription("no such node").asRuntimeException();
        };
        scene.unwish(name("va"));
        Eventually.assertThat(() -> assertThat(scene.attachment(name("va"))
                        .orElseThrow()
                        .getStatus()
                        .getDetachError()
                        .getMessage())
                .contains("no such node"));
        // As long as it is listed, not finding it is no proof.
        assertThat(scene.nodesOf(volume)).containsExactly(AttachScene.NODE_ID);
        var _ = scene.csi()
                .controller()
                .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(volume)
                        .setNodeId(AttachScene.NODE_ID)
                        .build());
        scene.awaitGone(name("va"));
    }

    @Test
    void aNodeThatRegisteredAnewUnderAnotherIdIsLeftByItsFormerOneFirst() {
        scene.attacher(VERY_RARELY, "--timeout=1s");
        String volume = scene.makePersistentVolume(name("pv"));
        scene.proxy.afterAttach = request -> AttacherTest.pause(3_000);
        scene.wish(name("va"), name("pv"));
        scene.awaitAttachError(name("va"), "DEADLINE_EXCEEDED");
        scene.removeNode();
        scene.makeNode("node-anew");
        // The driver refuses a node that it does not have, which is all the same here.
        scene.awaitAttachError(name("va"), "node-anew");
        assertThat(scene.nodesOf(volume)).isEmpty();
        assertThat(scene.proxy.detaches)
                .extracting(ControllerUnpublishVolumeRequest::getNodeId)
                .contains(AttachScene.NODE_ID);
    }

    @Test
    void aDriverThatAttachesNothingHasItSaidAtOnce() {
        scene.proxy.hidden.add(Type.PUBLISH_UNPUBLISH_VOLUME);
        scene.attacher();
        scene.wish(name("va"), name("no-volume-is-looked-at"));
        var attached = scene.awaitAttached(name("va"));
        assertThat(attached.getMetadata().getFinalizers()).isEmpty();
        scene.unwish(name("va"));
        scene.awaitGone(name("va"));
        assertThat(scene.proxy.attaches).isEmpty();
        assertThat(scene.proxy.detaches).isEmpty();
    }

    @Test
    void whatIsLeftOfTheTimeWhenTheDriverStillAttachedIsLetGo() {
        var before = scene.attacher();
        scene.makePersistentVolume(name("pv"));
        scene.wish(name("va"), name("pv"));
        scene.awaitAttached(name("va"));
        assertThat(before.stop()).isZero();
        scene.proxy.close();
        try (var now = TestingProxy.between(scene.proxySocket(), scene.driverSocket())) {
            now.hidden.add(Type.PUBLISH_UNPUBLISH_VOLUME);
            scene.attacher();
            scene.unwish(name("va"));
            scene.awaitGone(name("va"));
            scene.kubernetes.persistentVolumes().withName(name("pv")).delete();
            Eventually.assertThat(() -> assertThat(scene.kubernetes
                            .persistentVolumes()
                            .withName(name("pv"))
                            .get()
                            .getMetadata()
                            .getFinalizers())
                    .doesNotContain(scene.finalizer()));
            assertThat(now.detaches).isEmpty();
        }
    }
}
