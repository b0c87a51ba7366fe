package dev.stowage.conformance.crash;

import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateVolumeGroupSnapshotRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteVolumeGroupSnapshotRequest;
import csi.v1.Snapshot;
import csi.v1.VolumeCapability;
import csi.v1.VolumeContentSource;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import dev.stowage.conformance.harness.Workspace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** A volume from its creation to its end, with a copy of it on the way, as an orchestrator that never gives up would lead it. */
final class Life {

    private static final long SIZE = 64 * Claim.MIB;
    private static final int CONTENT = 256 << 10;
    private static final String POD = "pod";

    private final String name;
    private final Workspace workspace;
    private final Connection connection;
    private final SplittableRandom chance;

    Life(String name, Workspace workspace, Connection connection, SplittableRandom chance) {
        this.name = name;
        this.workspace = workspace;
        this.connection = connection;
        this.chance = chance;
    }

    void lead() {
        var capability = chance.nextInt(4) == 0 ? CsiClient.block() : CsiClient.mounted("ext4");
        var volume = create(Claim.request(name, SIZE, capability, Map.of()));
        Path place = bring(volume);
        byte[] content = write(place);
        switch (chance.nextInt(capability.hasBlock() ? 2 : 3)) {
            case 0 -> copyOfSnapshot(volume, place, content);
            case 1 -> copyOfVolume(volume, place, content);
            default -> copyOfGroup(volume, place, content);
        }
        end(volume);
    }

    private Claim create(CreateVolumeRequest request) {
        var volume =
                connection.call(csi -> csi.controller().createVolume(request).getVolume());
        var repeated =
                connection.call(csi -> csi.controller().createVolume(request).getVolume());
        if (!repeated.equals(volume)) {
            throw new AssertionError("the same wish gave first " + volume + ", then " + repeated);
        }
        return connection.call(csi -> new Claim(csi, workspace, volume, request.getVolumeCapabilities(0)));
    }

    private Path bring(Claim volume) {
        step(volume, Claim::attach);
        step(volume, Claim::stage);
        step(volume, claim -> claim.publish(POD));
        return volume.target(POD);
    }

    private void end(Claim volume) {
        step(volume, claim -> claim.unpublish(POD));
        step(volume, Claim::unstage);
        step(volume, Claim::detach);
        step(volume, Claim::delete);
    }

    private void step(Claim volume, Consumer<Claim> step) {
        connection.call(csi -> {
            step.accept(volume.through(csi));
            return true;
        });
    }

    private void copyOfSnapshot(Claim volume, Path place, byte[] content) {
        var request = CreateSnapshotRequest.newBuilder()
                .setName(name + "-snapshot")
                .setSourceVolumeId(volume.id())
                .build();
        String snapshot = connection.call(
                csi -> csi.controller().createSnapshot(request).getSnapshot().getSnapshotId());
        write(place);
        checkCopy(ofSnapshot(snapshot), volume.capability(), content);
        connection.call(csi -> csi.controller()
                .deleteSnapshot(DeleteSnapshotRequest.newBuilder()
                        .setSnapshotId(snapshot)
                        .build()));
    }

    private void copyOfVolume(Claim volume, Path place, byte[] content) {
        var source = VolumeContentSource.newBuilder()
                .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId(volume.id()))
                .build();
        checkCopy(source, volume.capability(), content);
        requireContent(place, content);
    }

    private void copyOfGroup(Claim volume, Path place, byte[] content) {
        var second = create(Claim.request(name + "-second", SIZE, volume.capability(), Map.of()));
        byte[] secondContent = write(bring(second));
        var request = CreateVolumeGroupSnapshotRequest.newBuilder()
                .setName(name + "-group")
                .addSourceVolumeIds(volume.id())
                .addSourceVolumeIds(second.id())
                .build();
        var group = connection.call(
                csi -> csi.groups().createVolumeGroupSnapshot(request).getGroupSnapshot());
        write(place);
        for (var member : group.getSnapshotsList()) {
            checkCopy(
                    ofSnapshot(member.getSnapshotId()),
                    volume.capability(),
                    member.getSourceVolumeId().equals(volume.id()) ? content : secondContent);
        }
        connection.call(csi -> csi.groups()
                .deleteVolumeGroupSnapshot(DeleteVolumeGroupSnapshotRequest.newBuilder()
                        .setGroupSnapshotId(group.getGroupSnapshotId())
                        .addAllSnapshotIds(group.getSnapshotsList().stream()
                                .map(Snapshot::getSnapshotId)
                                .toList())
                        .build()));
        end(second);
    }

    private static VolumeContentSource ofSnapshot(String snapshot) {
        return VolumeContentSource.newBuilder()
                .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(snapshot))
                .build();
    }

    private void checkCopy(VolumeContentSource source, VolumeCapability capability, byte[] content) {
        var copy = create(Claim.request(name + "-copy", SIZE, capability, Map.of()).toBuilder()
                .setVolumeContentSource(source)
                .build());
        requireContent(bring(copy), content);
        end(copy);
    }

    private byte[] write(Path place) {
        byte[] content = new byte[CONTENT];
        chance.nextBytes(content);
        Path file = Files.isDirectory(place) ? place.resolve("content") : place;
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            channel.write(ByteBuffer.wrap(content));
            channel.force(true);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return content;
    }

    private void requireContent(Path place, byte[] expected) {
        Path file = Files.isDirectory(place) ? place.resolve("content") : place;
        try (var stream = Files.newInputStream(file)) {
            if (!Arrays.equals(stream.readNBytes(CONTENT), expected)) {
                throw new AssertionError(name + ": " + file + " does not hold what was written");
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
