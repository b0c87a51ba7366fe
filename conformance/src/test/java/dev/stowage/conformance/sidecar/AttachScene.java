package dev.stowage.conformance.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.ListVolumesRequest;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.RunningDriver;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.Eventually;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.storage.CSINodeBuilder;
import io.fabric8.kubernetes.api.model.storage.VolumeAttachment;
import io.fabric8.kubernetes.api.model.storage.VolumeAttachmentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * A real driver under a name of its own, a proxy before it that can injure calls, an API server, and what the attach-detach
 * controller and a kubelet would write there.
 */
final class AttachScene implements AutoCloseable {

    static final String NODE_ID = RunningDriver.NODE;

    final Workspace workspace = Workspace.create();
    final String driverName = "d" + UUID.randomUUID().toString().substring(0, 8) + ".example";
    final String node = "node-of-" + driverName;
    final KubernetesClient kubernetes = ApiServer.shared().client();
    final TestingProxy proxy;

    private final Path driverSocket = workspace.root().resolve("driver.sock");
    private final List<AutoCloseable> running = new ArrayList<>();
    private RunningDriver driver;
    private int attachers;

    AttachScene() {
        driver = startDriver();
        proxy = TestingProxy.between(proxySocket(), driverSocket);
        makeNode(NODE_ID);
    }

    private RunningDriver startDriver() {
        return RunningDriver.in(workspace)
                .socket(driverSocket)
                .with("--driver-name", driverName)
                .start();
    }

    Path proxySocket() {
        return workspace.root().resolve("csi.sock");
    }

    Path driverSocket() {
        return driverSocket;
    }

    CsiClient csi() {
        return driver.csi();
    }

    void killDriver() {
        driver.kill();
    }

    void restartDriver() {
        driver = startDriver();
    }

    /** An attacher that works through the proxy. */
    RunningSidecar attacher(String... more) {
        return attacherAt(proxySocket(), more);
    }

    RunningSidecar attacherAt(Path socket, String... more) {
        var arguments = new ArrayList<>(List.of(
                "attacher",
                "--csi-address=" + socket,
                "--kubeconfig=" + ApiServer.shared().attacherKubeconfig(),
                "--http-endpoint=127.0.0.1:0",
                "--retry-interval-start=100ms",
                "--retry-interval-max=2s"));
        arguments.addAll(List.of(more));
        attachers++;
        var attacher = RunningSidecar.start(workspace, "attacher-" + attachers, arguments.toArray(String[]::new));
        running.add(attacher);
        return attacher;
    }

    void makeNode(String id) {
        kubernetes
                .resource(new CSINodeBuilder()
                        .withNewMetadata()
                        .withName(node)
                        .endMetadata()
                        .withNewSpec()
                        .addNewDriver()
                        .withName(driverName)
                        .withNodeID(id)
                        .withTopologyKeys(List.of())
                        .endDriver()
                        .endSpec()
                        .build())
                .create();
    }

    void removeNode() {
        kubernetes.storage().v1().csiNodes().withName(node).delete();
        Eventually.assertThat(() -> assertThat(
                        kubernetes.storage().v1().csiNodes().withName(node).get())
                .isNull());
    }

    /** A volume in the driver; returns its id. */
    String makeVolume(String name) {
        return csi().controller()
                .createVolume(Claim.request(name, 8 * Claim.MIB, CsiClient.mounted("ext4"), Map.of()))
                .getVolume()
                .getVolumeId();
    }

    PersistentVolume persistentVolume(String name, String volume) {
        return new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteOnce")
                .withCapacity(Map.of("storage", new Quantity("8Mi")))
                .withPersistentVolumeReclaimPolicy("Retain")
                .withNewCsi()
                .withDriver(driverName)
                .withVolumeHandle(volume)
                .withFsType("ext4")
                .endCsi()
                .endSpec()
                .build();
    }

    /** A PersistentVolume of a new volume. */
    String makePersistentVolume(String name) {
        String volume = makeVolume(name);
        kubernetes.resource(persistentVolume(name, volume)).create();
        return volume;
    }

    PersistentVolume changePersistentVolume(String name, UnaryOperator<PersistentVolume> change) {
        return kubernetes.persistentVolumes().withName(name).edit(change);
    }

    /** What the attach-detach controller writes when a pod needs the volume on the node. */
    void wish(String attachment, String persistentVolume) {
        kubernetes
                .resource(new VolumeAttachmentBuilder()
                        .withNewMetadata()
                        .withName(attachment)
                        .endMetadata()
                        .withNewSpec()
                        .withAttacher(driverName)
                        .withNodeName(node)
                        .withNewSource()
                        .withPersistentVolumeName(persistentVolume)
                        .endSource()
                        .endSpec()
                        .build())
                .create();
    }

    /** What it does when no pod needs it any more. */
    void unwish(String attachment) {
        kubernetes.storage().v1().volumeAttachments().withName(attachment).delete();
    }

    Optional<VolumeAttachment> attachment(String name) {
        return Optional.ofNullable(
                kubernetes.storage().v1().volumeAttachments().withName(name).get());
    }

    VolumeAttachment awaitAttached(String name) {
        Eventually.assertThat(() -> assertThat(attachment(name).orElseThrow().getStatus())
                .isNotNull()
                .satisfies(status -> assertThat(status.getAttached()).isTrue()));
        return attachment(name).orElseThrow();
    }

    /** Waits for an error that holds the text. */
    VolumeAttachment awaitAttachError(String name, String text) {
        Eventually.assertThat(() -> assertThat(attachment(name)
                        .orElseThrow()
                        .getStatus()
                        .getAttachError()
                        .getMessage())
                .contains(text));
        return attachment(name).orElseThrow();
    }

    void awaitGone(String name) {
        Eventually.assertThat(() -> assertThat(attachment(name)).isEmpty());
    }

    /** The nodes that the driver itself says the volume is attached to. */
    List<String> nodesOf(String volume) {
        return csi().controller().listVolumes(ListVolumesRequest.getDefaultInstance()).getEntriesList().stream()
                .filter(entry -> entry.getVolume().getVolumeId().equals(volume))
                .flatMap(entry -> entry.getStatus().getPublishedNodeIdsList().stream())
                .toList();
    }

    String finalizer() {
        return "external-attacher/" + driverName.replace('.', '-');
    }

    @Override
    public void close() throws Exception {
        for (var each : running) {
            each.close();
        }
        proxy.close();
        driver.close();
        removeWhatIsLeft();
        workspace.close();
    }

    private void removeWhatIsLeft() {
        var attachmentsOfOurs = kubernetes.storage().v1().volumeAttachments().list().getItems().stream()
                .filter(attachment -> attachment.getSpec().getAttacher().equals(driverName))
                .toList();
        attachmentsOfOurs.forEach(attachment -> {
            kubernetes.resource(attachment).edit(this::withoutFinalizers);
            kubernetes.resource(attachment).delete();
        });
        kubernetes.persistentVolumes().list().getItems().stream()
                .filter(volume -> driverName.equals(volume.getSpec().getCsi().getDriver()))
                .forEach(volume -> {
                    kubernetes.resource(volume).delete();
                    kubernetes
                            .persistentVolumes()
                            .withName(volume.getMetadata().getName())
                            .edit(found -> {
                                found.getMetadata().setFinalizers(List.of());
                                return found;
                            });
                });
        kubernetes.storage().v1().csiNodes().withName(node).delete();
    }

    private VolumeAttachment withoutFinalizers(VolumeAttachment attachment) {
        attachment.getMetadata().setFinalizers(List.of());
        return attachment;
    }
}
