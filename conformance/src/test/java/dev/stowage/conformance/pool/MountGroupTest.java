package dev.stowage.conformance.pool;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.VolumeCapability;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.conformance.harness.Claim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Ownership is set here, because the mount-group capability turns the kubelet's own handling off. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MountGroupTest {

    private static final int GROUP = 4242;
    private static final int OTHER_GROUP = 4343;
    private static final int SET_GROUP_ID = 02000;

    private final Rig rig = Rig.sharingBlocks();

    @AfterAll
    void end() {
        rig.close();
    }

    private static VolumeCapability forGroup(VolumeCapability capability, int group) {
        return capability.toBuilder()
                .setMount(capability.getMount().toBuilder().setVolumeMountGroup(Integer.toString(group)))
                .build();
    }

    private static Claim forGroup(Claim claim, int group) {
        return new Claim(claim.csi(), claim.workspace(), claim.volume(), forGroup(claim.capability(), group));
    }

    private static int group(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:gid", LinkOption.NOFOLLOW_LINKS);
    }

    private static int mode(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 07777;
    }

    @Test
    void everythingIsGivenToTheGroupAndNewFilesInheritIt() throws IOException {
        var claim = rig.claim("given", 64 * Claim.MIB, CsiClient.mounted("ext4"));
        Path path = claim.use("pod");
        Path directory = Files.createDirectory(path.resolve("directory"));
        Path file = Files.writeString(directory.resolve("file"), "old");
        Path program = Files.writeString(directory.resolve("program"), "#!/bin/true");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        Path outside = Files.writeString(rig.workspace().root().resolve("outside"), "not in the volume");
        Files.setPosixFilePermissions(outside, PosixFilePermissions.fromString("rw-------"));
        Files.createSymbolicLink(directory.resolve("link"), outside);
        Files.createSymbolicLink(
                path.resolve("link-to-directory"), rig.workspace().root());
        claim.release("pod");

        var owned = forGroup(claim, GROUP);
        owned.use("pod");
        for (Path each : new Path[] {path, directory}) {
            assertThat(group(each)).isEqualTo(GROUP);
            assertThat(mode(each) & (SET_GROUP_ID | 070)).isEqualTo(SET_GROUP_ID | 070);
        }
        assertThat(group(file)).isEqualTo(GROUP);
        assertThat(mode(file)).isEqualTo(0660);
        assertThat(mode(program)).isEqualTo(0770);
        assertThat(group(Files.writeString(directory.resolve("new"), "new"))).isEqualTo(GROUP);
        assertThat(group(Files.createDirectory(directory.resolve("new-directory"))))
                .isEqualTo(GROUP);
        assertThat(group(outside)).isZero();
        assertThat(mode(outside)).isEqualTo(0600);
        assertThat(group(rig.workspace().root())).isZero();
        owned.release("pod");

        Path again = forGroup(claim, OTHER_GROUP).use("pod");
        assertThat(group(again.resolve("directory/new"))).isEqualTo(OTHER_GROUP);
        owned.release("pod");
        claim.delete();
    }

    @Test
    void manyFilesAreDoneOnceAndThenNotLookedAtAgain() throws IOException {
        var claim = rig.claim("many", Claim.GIB, CsiClient.mounted("xfs"));
        Path path = claim.use("pod");
        for (int i = 0; i < 100; i++) {
            Path directory = Files.createDirectory(path.resolve("d" + i));
            for (int j = 0; j < 200; j++) {
                Files.createFile(directory.resolve("f" + j));
            }
        }
        claim.release("pod");
        var owned = forGroup(claim, GROUP);
        owned.use("pod");
        try (var files = Files.walk(path)) {
            assertThat(files.filter(file -> {
                        try {
                            return group(file) != GROUP;
                        } catch (IOException failure) {
                            throw new IllegalStateException(failure);
                        }
                    }))
                    .isEmpty();
        }
        // What its owner gives away later is his business, and the sign that nobody walked through 20,000 files again.
        Path givenAway = path.resolve("d7/f7");
        Files.setAttribute(givenAway, "unix:gid", OTHER_GROUP);
        owned.release("pod");
        owned.use("pod");
        assertThat(group(givenAway)).isEqualTo(OTHER_GROUP);
        owned.release("pod");
        claim.delete();
    }

    /** A pod that runs while another one is started may swap files for links as fast as it can. */
    @Test
    void aFileThatIsSwappedForALinkMeanwhileDoesNotLeadOutOfTheVolume() throws Exception {
        var capability = CsiClient.mounted("xfs").toBuilder()
                .setAccessMode(CsiClient.mode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_MULTI_WRITER))
                .build();
        var claim = rig.claim("swapped", Claim.GIB, capability);
        Path path = claim.use("evil-pod");
        Path outside = Files.writeString(rig.workspace().root().resolve("target-of-the-attack"), "root's own");
        Files.setPosixFilePermissions(outside, PosixFilePermissions.fromString("rw-------"));
        Path traps = Files.createDirectory(path.resolve("traps"));
        for (int i = 0; i < 2000; i++) {
            Files.createFile(traps.resolve("f" + i));
        }
        var swapper = new Swapper(traps, outside);
        var thread = Thread.ofPlatform().start(swapper);
        try {
            for (int round = 0; round < 10; round++) {
                forGroup(claim, GROUP + round).publish("victim-pod");
                claim.unpublish("victim-pod");
                assertThat(group(outside)).isZero();
                assertThat(mode(outside)).isEqualTo(0600);
            }
        } finally {
            swapper.stopped = true;
            thread.join();
        }
        assertThat(swapper.swaps).as("the attack went on meanwhile").isGreaterThan(100);
        claim.release("evil-pod");
        claim.delete();
    }

    private static final class Swapper implements Runnable {
        private final Path traps;
        private final Path outside;
        private volatile boolean stopped;
        private volatile long swaps;

        Swapper(Path traps, Path outside) {
            this.traps = traps;
            this.outside = outside;
        }

        @Override
        public void run() {
            try {
                for (int i = 0; !stopped; i = (i + 1) % 2000) {
                    Path trap = traps.resolve("f" + i);
                    Path link = traps.resolve("link");
                    Files.deleteIfExists(link);
                    Files.createSymbolicLink(link, outside);
                    Files.move(link, trap, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                    Path file = traps.resolve("file");
                    Files.deleteIfExists(file);
                    Files.createFile(file);
                    Files.move(file, trap, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                    swaps = swaps + 1;
                }
            } catch (IOException failure) {
                throw new IllegalStateException(failure);
            }
        }
    }
}
