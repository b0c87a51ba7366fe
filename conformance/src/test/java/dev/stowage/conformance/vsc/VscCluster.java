package dev.stowage.conformance.vsc;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.Snapshot;
import csi.v1.Volume;
import csi.v1.VolumeCapability;
import csi.v1.VolumeContentSource;
import dev.stowage.backend.vsc.secret.NodeKey;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.citizen.Http;
import dev.stowage.conformance.cluster.ControlPlane;
import dev.stowage.conformance.cluster.Member;
import dev.stowage.conformance.harness.Workspace;
import dev.stowage.conformance.pool.Eventually;
import dev.stowage.kube.vsc.Vpsa;
import dev.stowage.kube.vsc.VscNode;
import dev.stowage.kube.vsc.VscResources;
import dev.stowage.kube.vsc.VscStorageClass;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An API server, arrays and their controller, each the real process. */
public final class VscCluster implements AutoCloseable {

    static final String CLASS = "gold";
    static final long GIB = 1L << 30;
    private static final int CALL_SECONDS = 60;
    private static final Pattern PORT = Pattern.compile("health and metrics are served on port ([0-9]+)");

    private final Workspace workspace;
    private final ControlPlane plane;
    private final Map<String, RunningArray> arrays = new ConcurrentSkipListMap<>();
    private volatile @Nullable Member controller;

    private VscCluster(Workspace workspace) {
        this.workspace = workspace;
        this.plane = ControlPlane.start(workspace.directory("plane"));
    }

    /** A control plane with the controller and nothing else. */
    public static VscCluster start() {
        var workspace = Workspace.create();
        try {
            var cluster = new VscCluster(workspace);
            try {
                Files.writeString(
                        workspace.directory("keys").resolve("GLOBAL_ENCRYPTION_KEY"),
                        "0123456789abcdef0123456789abcdef");
                cluster.startController();
                return cluster;
            } catch (RuntimeException | IOException failed) {
                cluster.close();
                throw new IllegalStateException(failed);
            }
        } catch (RuntimeException failed) {
            workspace.close();
            throw failed;
        }
    }

    void startController(String... more) {
        var arguments = new ArrayList<>(List.of(
                "--backend",
                "vsc",
                "--role",
                "controller",
                "--encryption-key-directory",
                workspace.root().resolve("keys").toString(),
                "--no-array-tls",
                "--monitor-interval",
                "2s",
                "--array-timeout",
                "5s",
                "--fence-after",
                "2s",
                "--http",
                "127.0.0.1:0"));
        arguments.addAll(List.of(more));
        controller = member("controller", arguments);
    }

    /** Another process of ours. */
    Member member(String name, List<String> arguments) {
        return Member.launch(workspace, plane, name, arguments);
    }

    Member controller() {
        return Objects.requireNonNull(controller, "the controller does not run");
    }

    /** What the controller tells those who watch. */
    String metrics() {
        var ports = PORT.matcher(log()).results().map(match -> match.group(1)).toList();
        return new Http(Integer.parseInt(ports.getLast())).get("/metrics").body();
    }

    CsiClient csi() {
        return controller().csi();
    }

    KubernetesClient client() {
        return plane.client();
    }

    public Workspace workspace() {
        return workspace;
    }

    String log() {
        try {
            return Files.readString(controller().log());
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    RunningArray array(String name, String... more) {
        var array = RunningArray.start(workspace, name, more);
        arrays.put(name, array);
        return array;
    }

    VscStorageClass storageClass(String name, boolean isDefault) {
        var storageClass = new VscStorageClass();
        storageClass.setMetadata(new ObjectMetaBuilder().withName(name).build());
        storageClass.setSpec(new VscStorageClass.Spec(name, null, isDefault, null));
        return client().resource(storageClass).create();
    }

    /** Adds an array to a class, as a user does. */
    Vpsa join(RunningArray array, String className) {
        return join(array.name(), array.hostname(), className, RunningArray.TOKEN);
    }

    Vpsa join(String name, String hostname, String className, String token) {
        var vpsa = new Vpsa();
        vpsa.setMetadata(new ObjectMetaBuilder().withName(name).build());
        vpsa.setSpec(new Vpsa.Spec(className, name, null, hostname, token));
        return client().resource(vpsa).create();
    }

    Vpsa vpsa(String name) {
        return client().resources(Vpsa.class).withName(name).get();
    }

    /** A class with members that are all ready. */
    List<RunningArray> ready(int count) {
        storageClass(CLASS, true);
        var started = new ArrayList<RunningArray>();
        for (int number = 1; number <= count; number++) {
            var array = array("array-" + number);
            join(array, CLASS);
            started.add(array);
        }
        started.forEach(array -> awaitState(array.name(), Vpsa.State.READY));
        return started;
    }

    /** Waits until the controller has looked at an array, with a look that began after now. */
    void awaitLook(RunningArray array) {
        for (int look = 0; look < 2; look++) {
            String before = lastLook(array);
            Eventually.assertThat(() -> assertThat(lastLook(array)).isGreaterThan(before));
        }
    }

    private String lastLook(RunningArray array) {
        return Objects.requireNonNull(vpsa(array.name()).getStatus().lastSync());
    }

    Vpsa awaitState(String array, Vpsa.State state) {
        return client().resources(Vpsa.class)
                .withName(array)
                .waitUntilCondition(found -> found != null && found.getStatus().state() == state, 60, TimeUnit.SECONDS);
    }

    /** A node as its driver would make it known. */
    NodeKey node(String name) {
        return node(name, "127.0.0.1");
    }

    NodeKey node(String name, String address) {
        var key = NodeKey.of(workspace.directory("node-" + name), name);
        var node = new VscNode();
        node.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withAnnotations(Map.of(VscResources.NODE_KEY, key.publicKey().text()))
                .build());
        node.setSpec(new VscNode.Spec(
                name, null, new VscNode.Nas(address), new VscNode.Block("iqn.2026-01.dev.stowage.test:" + name)));
        client().resource(node).create();
        return key;
    }

    static CreateVolumeRequest.Builder blockVolume(String name, long gibibytes) {
        return CreateVolumeRequest.newBuilder()
                .setName(name)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(gibibytes * GIB))
                .addVolumeCapabilities(CsiClient.block());
    }

    Volume create(CreateVolumeRequest.Builder request) {
        return csi().controller()
                .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
                .createVolume(request.build())
                .getVolume();
    }

    void delete(String volume) {
        csi().controller()
                .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
                .deleteVolume(
                        DeleteVolumeRequest.newBuilder().setVolumeId(volume).build());
    }

    long grow(String volume, long gibibytes) {
        return csi().controller()
                .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(volume)
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(gibibytes * GIB))
                        .build())
                .getCapacityBytes();
    }

    Snapshot snapshot(String name, String volume) {
        return csi().controller()
                .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
                .createSnapshot(CreateSnapshotRequest.newBuilder()
                        .setName(name)
                        .setSourceVolumeId(volume)
                        .build())
                .getSnapshot();
    }

    void deleteSnapshot(String snapshot) {
        csi().controller()
                .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
                .deleteSnapshot(DeleteSnapshotRequest.newBuilder()
                        .setSnapshotId(snapshot)
                        .build());
    }

    static VolumeContentSource copyOf(Snapshot snapshot) {
        return VolumeContentSource.newBuilder()
                .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(snapshot.getSnapshotId()))
                .build();
    }

    static VolumeContentSource copyOf(Volume volume) {
        return VolumeContentSource.newBuilder()
                .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId(volume.getVolumeId()))
                .build();
    }

    Map<String, String> attach(String volume, String node) {
        return attach(volume, node, CsiClient.block());
    }

    Map<String, String> attach(String volume, String node, VolumeCapability use) {
        return attach(volume, node, use, false);
    }

    Map<String, String> attach(String volume, String node, VolumeCapability use, boolean readOnly) {
        return csi().controller()
                .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
                .controllerPublishVolume(ControllerPublishVolumeRequest.newBuilder()
                        .setVolumeId(volume)
                        .setNodeId(node)
                        .setVolumeCapability(use)
                        .setReadonly(readOnly)
                        .build())
                .getPublishContextMap();
    }

    void detach(String volume, String node) {
        csi().controller()
                .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
                .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(volume)
                        .setNodeId(node)
                        .build());
    }

    <T extends HasMetadata> T get(Class<T> type, String name) {
        return client().resources(type).withName(name).get();
    }

    /** Changes an object as a person does, while the controller may write it as well. */
    <T extends HasMetadata> void edit(Class<T> type, String name, Consumer<T> change) {
        Eventually.assertThat(() -> client().resources(type).withName(name).edit(found -> {
            change.accept(found);
            return found;
        }));
    }

    List<Event> events(String kind, String name) {
        return client().v1().events().inNamespace("default").list().getItems().stream()
                .filter(event -> event.getInvolvedObject().getKind().equals(kind)
                        && event.getInvolvedObject().getName().equals(name))
                .toList();
    }

    /** Takes the arrays away, whatever was on them. */
    void endArrays() {
        arrays.values().forEach(RunningArray::close);
        arrays.clear();
    }

    @Override
    public void close() {
        var last = controller;
        if (last != null && last.process().isAlive()) {
            last.stop();
        }
        endArrays();
        plane.close();
        workspace.close();
    }
}
