package dev.stowage.cli.tour;

import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.CreateVolumeGroupSnapshotRequest;
import csi.v1.DeleteVolumeGroupSnapshotRequest;
import csi.v1.GetMetadataDeltaRequest;
import csi.v1.NodeExpandVolumeRequest;
import csi.v1.NodeGetVolumeStatsRequest;
import csi.v1.Snapshot;
import csi.v1.VolumeGroupSnapshot;
import csi.v1.VolumeUsage;
import dev.stowage.core.volume.Sizes;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The main job, step by step, through the driver's socket and nothing else. */
final class Tour {

    static final long POOL_SIZE = 2 * Sizes.GIB;
    private static final String NODE = "this-machine";
    private static final int CRATES = 64;

    private final Story story;
    private final Path workspace;
    private final List<String> launcher;
    private final Path socket;
    private @Nullable DriverUnderTour driver;
    private @Nullable Volumes volumes;

    Tour(Story story, Path workspace, List<String> launcher) {
        this.story = story;
        this.workspace = workspace;
        this.launcher = launcher;
        this.socket = workspace.resolve("csi.sock");
    }

    /** @return whether everything went as it should */
    boolean run(boolean keep) throws Exception {
        story.say("");
        story.say("Stowage gives this machine real volumes: a pool in " + workspace
                + ", a CSI driver on a socket in front of it.");
        story.say("");
        try {
            var running = start();
            travel(running, new Volumes(running.client(), NODE, workspace.toRealPath()));
            if (keep) {
                story.table();
                tellHowToGoOn(running);
                return true;
            }
            cleanUp();
            story.table();
            story.say("");
            story.say(
                    "That was every step a pod's volume takes. Next: ./stowage driver --help, and docs/backends/local.md.");
            return true;
        } catch (StatusRuntimeException refused) {
            return failed(
                    refused.getStatus().getCode() + ": " + refused.getStatus().getDescription());
        } catch (IOException | IllegalStateException failure) {
            return failed(String.valueOf(failure.getMessage()));
        }
    }

    private DriverUnderTour start() throws Exception {
        var started = new DriverUnderTour[1];
        story.step("start the driver", () -> {
            Path pool = Files.createDirectory(workspace.resolve("pool"));
            var command = new ArrayList<>(launcher);
            command.addAll(List.of(
                    "driver",
                    "--backend",
                    "local",
                    "--role",
                    "all",
                    "--endpoint",
                    "unix://" + socket,
                    "--node-id",
                    NODE,
                    "--pool",
                    pool.toString(),
                    "--pool-image",
                    Long.toString(POOL_SIZE),
                    "--overcommit",
                    "10"));
            started[0] = DriverUnderTour.start(socket, workspace.resolve("driver.log"), command);
            return "pid " + started[0].pid() + ", a pool of " + Sizes.text(POOL_SIZE) + " that can share blocks";
        });
        driver = started[0];
        return started[0];
    }

    private void travel(DriverUnderTour running, Volumes made) throws Exception {
        volumes = made;
        var mounted = new Volumes.Mounted[4];
        var snapshots = new Snapshot[2];
        var digests = new String[2];
        story.step("make a volume of 1 GiB", () -> {
            var volume = made.create("first", Sizes.GIB);
            mounted[0] = made.mount(volume);
            return volume.getVolumeId().substring(0, 12) + "…, formatted and mounted";
        });
        var first = mounted[0];
        story.step("write " + CRATES + " MiB to it", () -> {
            Payload.write(first.directory(), CRATES, 1);
            digests[0] = Payload.digest(first.directory());
            return CRATES + " files, sha256 " + digests[0].substring(0, 12) + "…";
        });
        story.step("snapshot it while it is mounted", () -> {
            snapshots[0] = made.snapshot("before", first.id());
            return "shares its blocks, so it took no room";
        });
        story.step("change one file and snapshot again", () -> {
            Payload.rewrite(first.directory().resolve("cargo-0/crate-0"), 2);
            digests[1] = Payload.digest(first.directory());
            snapshots[1] = made.snapshot("after", first.id());
            return "1 MiB of " + CRATES + " is different now";
        });
        story.step("ask what changed between the two", () -> changed(running, snapshots));
        story.step("clone the volume", () -> {
            mounted[1] = made.mount(made.cloneOf("clone", first.id()));
            return same(mounted[1], digests[1]);
        });
        story.step("grow it to 2 GiB while it is in use", () -> grow(running, first));
        story.step("make a second volume", () -> {
            mounted[2] = made.mount(made.create("second", Sizes.GIB));
            return "mounted beside the first";
        });
        var group = new VolumeGroupSnapshot[1];
        story.step("snapshot both at one instant", () -> {
            try (var writing = new TwoLedgers(first.directory(), mounted[2].directory())) {
                Thread.sleep(200);
                group[0] = together(running, made, first.id(), mounted[2].id());
            }
            return "while somebody wrote to both";
        });
        story.step("restore both and compare", () -> restoredTogether(made, group[0], first.id()));
        story.step("restore the first snapshot", () -> {
            mounted[3] = made.mount(made.fromSnapshot("restored", snapshots[0].getSnapshotId()));
            return same(mounted[3], digests[0]);
        });
        story.step("look at its usage", () -> usage(running, first));
    }

    private static String changed(DriverUnderTour running, Snapshot[] snapshots) {
        var answers = running.client()
                .metadata()
                .getMetadataDelta(GetMetadataDeltaRequest.newBuilder()
                        .setBaseSnapshotId(snapshots[0].getSnapshotId())
                        .setTargetSnapshotId(snapshots[1].getSnapshotId())
                        .build());
        long bytes = 0;
        int ranges = 0;
        while (answers.hasNext()) {
            for (var range : answers.next().getBlockMetadataList()) {
                bytes += range.getSizeBytes();
                ranges++;
            }
        }
        if (bytes < Sizes.MIB) {
            throw new IllegalStateException("1 MiB was changed and only " + Sizes.text(bytes) + " were reported");
        }
        return Sizes.text(bytes) + " in " + ranges + " ranges, of " + Sizes.text(Sizes.GIB);
    }

    private static String same(Volumes.Mounted volume, String digest) throws IOException {
        if (!Payload.digest(volume.directory()).equals(digest)) {
            throw new IllegalStateException("the data in " + volume.directory() + " is not what was written");
        }
        return "every byte is there";
    }

    private static String grow(DriverUnderTour running, Volumes.Mounted volume) throws IOException {
        var size = CapacityRange.newBuilder().setRequiredBytes(2 * Sizes.GIB);
        long before = Files.getFileStore(volume.directory()).getTotalSpace();
        running.client()
                .controller()
                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(volume.id())
                        .setCapacityRange(size)
                        .build());
        running.client()
                .node()
                .nodeExpandVolume(NodeExpandVolumeRequest.newBuilder()
                        .setVolumeId(volume.id())
                        .setVolumePath(volume.directory().toString())
                        .setStagingTargetPath(volume.staging().toString())
                        .setCapacityRange(size)
                        .build());
        long after = Files.getFileStore(volume.directory()).getTotalSpace();
        if (after < 1.8 * before) {
            throw new IllegalStateException(
                    "the filesystem has " + Sizes.text(after) + " and should have twice as much");
        }
        return "the filesystem went from " + Sizes.text(before) + " to " + Sizes.text(after);
    }

    private static VolumeGroupSnapshot together(DriverUnderTour running, Volumes made, String... volumes) {
        var groups = running.client().groups();
        var group = groups.createVolumeGroupSnapshot(CreateVolumeGroupSnapshotRequest.newBuilder()
                        .setName("together")
                        .addAllSourceVolumeIds(List.of(volumes))
                        .build())
                .getGroupSnapshot();
        made.remember(() -> groups.deleteVolumeGroupSnapshot(DeleteVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId(group.getGroupSnapshotId())
                .addAllSnapshotIds(group.getSnapshotsList().stream()
                        .map(Snapshot::getSnapshotId)
                        .toList())
                .build()));
        return group;
    }

    private static String restoredTogether(Volumes made, VolumeGroupSnapshot group, String first) throws IOException {
        long one = 0;
        long two = 0;
        for (Snapshot member : group.getSnapshotsList()) {
            boolean isFirst = member.getSourceVolumeId().equals(first);
            var restored = made.mount(
                    made.fromSnapshot(isFirst ? "together-first" : "together-second", member.getSnapshotId()));
            if (isFirst) {
                one = TwoLedgers.read(restored.directory());
            } else {
                two = TwoLedgers.read(restored.directory());
            }
        }
        if (one == 0 || one - two < 0 || one - two > 1) {
            throw new IllegalStateException("the two ledgers say " + one + " and " + two + ": not one instant");
        }
        return String.format(Locale.ROOT, "the ledgers agree: %,d and %,d", one, two);
    }

    private static String usage(DriverUnderTour running, Volumes.Mounted volume) {
        var usage = running.client()
                .node()
                .nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                        .setVolumeId(volume.id())
                        .setVolumePath(volume.directory().toString())
                        .build());
        var parts = new ArrayList<String>();
        for (VolumeUsage part : usage.getUsageList()) {
            boolean bytes = part.getUnit() == VolumeUsage.Unit.BYTES;
            parts.add(bytes ? Sizes.text(part.getUsed()) + " used" : part.getUsed() + " inodes");
        }
        return String.join(", ", parts);
    }

    private void cleanUp() throws Exception {
        long pid = driver == null ? -1 : driver.pid();
        story.step("take everything away again", () -> {
            if (volumes != null) {
                volumes.removeAll();
            }
            if (driver != null) {
                driver.close();
            }
            Leftovers.removeTree(workspace);
            var left = Leftovers.of(workspace, pid);
            if (!left.isEmpty()) {
                throw new IllegalStateException("left on this machine: " + String.join("; ", left));
            }
            return "no mount, device, process or file is left";
        });
    }

    private boolean failed(String why) {
        story.say("");
        story.say("It failed: " + why);
        if (driver != null) {
            story.say("The driver's last words:");
            story.say(driver.lastWords());
        }
        abandon();
        return false;
    }

    /** Takes away what can be taken away, whatever happened. */
    void abandon() {
        try {
            if (volumes != null) {
                volumes.removeAll();
            }
            if (driver != null) {
                driver.close();
            }
            Leftovers.removeTree(workspace);
        } catch (IOException | RuntimeException left) {
            story.say("Not everything could be removed from " + workspace + ": " + left.getMessage());
        }
    }

    private void tellHowToGoOn(DriverUnderTour running) {
        running.letGo();
        story.say("");
        story.say("The driver keeps running as process " + running.pid() + ":");
        story.say("  its socket   " + socket);
        story.say("  its log      " + workspace.resolve("driver.log"));
        story.say("  its volumes  " + workspace.resolve("node/pods"));
        story.say("Any CSI client can talk to the socket. To take everything away:");
        story.say("  kill " + running.pid());
        story.say("  umount " + workspace + "/node/*/*/mount " + workspace + "/node/staging/* " + workspace
                + "/pool/pool");
        story.say("  rm -r " + workspace);
    }
}
