package dev.stowage.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.AccessMode;
import dev.stowage.core.volume.SizeRange;
import dev.stowage.core.volume.Sizes;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.linux.filesystem.Filesystems;
import dev.stowage.linux.mount.Mounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The process ends before and after every single effect of every call, and the call is repeated, or its opposite comes. */
class CrashTest {

    private static final VolumeId VOLUME = new VolumeId("v1");
    private static final VolumeId EPHEMERAL = new VolumeId("csi-1");
    private static final VolumeUse GROUPED = TestNode.forGroup("ext4", 4711);
    private static final VolumeUse BLOCK = TestNode.block(AccessMode.SINGLE_NODE_MULTI_WRITER);
    private static final VolumeUse BTRFS = TestNode.filesystem("btrfs");
    private static final long LARGER = 640 * Sizes.MIB;

    /** A call, what comes before it, what must be true after it, and whether the volume lives with its publication. */
    enum Call {
        STAGE_BLANK(node -> node.volume("v1", FilesystemType.EXT4), node -> node.stage(VOLUME, GROUPED), Call::mounted),
        STAGE_FORMATTED(Call::formatted, node -> node.stage(VOLUME, GROUPED), node -> {
            mounted(node);
            assertThat(TestNode.path(node.stagingPath(VOLUME)).resolve("file")).hasContent("kept");
        }),
        STAGE_CLONE(
                node -> {
                    var source = node.volume("source", FilesystemType.BTRFS);
                    node.stage(source, BTRFS);
                    node.unstage(source);
                    node.copy(source, "v1");
                    node.resizeFile(VOLUME, 2 * TestNode.size(FilesystemType.BTRFS));
                },
                node -> node.stage(VOLUME, BTRFS),
                Call::mounted),
        STAGE_DEVICE(
                node -> node.volume("v1", FilesystemType.EXT4),
                node -> node.stage(VOLUME, BLOCK),
                node -> assertThat(node.devices.attached(VOLUME)).isPresent()),
        PUBLISH(Call::staged, node -> node.publish(VOLUME, "pod", GROUPED, true), Call::published),
        PUBLISH_DEVICE(
                node -> {
                    node.volume("v1", FilesystemType.EXT4);
                    node.stage(VOLUME, BLOCK);
                },
                node -> node.publish(VOLUME, "pod", BLOCK, true),
                Call::published),
        UNPUBLISH(
                node -> {
                    staged(node);
                    node.publish(VOLUME, "pod", GROUPED, false);
                },
                node -> node.unpublish(VOLUME, "pod"),
                Call::unpublished),
        UNSTAGE(Call::staged, node -> node.unstage(VOLUME), Call::unstaged),
        UNSTAGE_DEVICE(
                node -> {
                    node.volume("v1", FilesystemType.EXT4);
                    node.stage(VOLUME, BLOCK);
                },
                node -> node.unstage(VOLUME),
                Call::unstaged),
        STAGE_LARGER(
                node -> {
                    formatted(node);
                    node.resizeFile(VOLUME, 128 * Sizes.MIB);
                },
                node -> node.stage(VOLUME, GROUPED),
                node -> {
                    mounted(node);
                    filled(node, 90 * Sizes.MIB);
                }),
        EXPAND(
                node -> {
                    node.volume("v1", FilesystemType.XFS);
                    node.stage(VOLUME, TestNode.filesystem("xfs"));
                    node.resizeFile(VOLUME, LARGER);
                },
                node -> node.engine.expand(node.staged(VOLUME), SizeRange.atLeast(LARGER), Optional.empty()),
                node -> filled(node, 500 * Sizes.MIB)),
        PUBLISH_EPHEMERAL(node -> {}, Call::publishEphemeral, Call::published),
        UNPUBLISH_EPHEMERAL(Call::publishEphemeral, node -> node.unpublish(EPHEMERAL, "pod"), node -> {
            unpublished(node);
            assertThat(node.devices.file(EPHEMERAL)).doesNotExist();
        });

        private final Consumer<TestNode> before;
        private final Consumer<TestNode> call;
        private final Consumer<TestNode> after;

        Call(Consumer<TestNode> before, Consumer<TestNode> call, Consumer<TestNode> after) {
            this.before = before;
            this.call = call;
            this.after = after;
        }

        private static void formatted(TestNode node) {
            staged(node);
            try {
                Files.writeString(TestNode.path(node.stagingPath(VOLUME)).resolve("file"), "kept");
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
            node.unstage(VOLUME);
        }

        private static void staged(TestNode node) {
            node.volume("v1", FilesystemType.EXT4);
            node.stage(VOLUME, GROUPED);
        }

        private static void publishEphemeral(TestNode node) {
            node.publishEphemeral(EPHEMERAL, "pod", TestNode.filesystem("ext4"), false, Map.of("size", "64Mi"));
        }

        private static void mounted(TestNode node) {
            assertThat(Mounts.at(TestNode.path(node.stagingPath(VOLUME)))).isPresent();
            assertThat(node.mounts()).hasSize(1);
            assertThat(node.loops()).hasSize(1);
        }

        private static void filled(TestNode node, long bytes) {
            assertThat(Filesystems.usage(TestNode.path(node.stagingPath(VOLUME)))
                            .totalBytes())
                    .isGreaterThan(bytes);
        }

        private static void published(TestNode node) {
            assertThat(Mounts.at(TestNode.path(node.target("pod")))).isPresent();
            assertThat(node.mounts().stream().filter(mount -> mount.equals(TestNode.path(node.target("pod")))))
                    .hasSize(1);
        }

        private static void unpublished(TestNode node) {
            assertThat(TestNode.path(node.target("pod"))).doesNotExist();
        }

        private static void unstaged(TestNode node) {
            assertThat(node.mounts()).isEmpty();
            assertThat(node.loops()).isEmpty();
        }
    }

    @AfterEach
    void observeNoMore() {
        Effects.observe(null);
    }

    @ParameterizedTest
    @EnumSource(Call.class)
    void repeatingACallAfterACrashAnywhereGivesTheSameResult(Call call) {
        int points = forEveryPoint(call, true, node -> {
            call.call.accept(node);
            call.after.accept(node);
        });
        System.out.println(call + ": " + points + " points, repeated");
        assertThat(points).isPositive();
    }

    @ParameterizedTest
    @EnumSource(Call.class)
    void givingUpAfterACrashAnywhereLeavesNothing(Call call) {
        assertThat(forEveryPoint(call, true, node -> {})).isPositive();
    }

    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"STAGE_BLANK", "STAGE_FORMATTED"})
    void theSameHoldsForDevicesThatOutliveTheProcess(Call call) {
        forEveryPoint(call, false, node -> {
            call.call.accept(node);
            call.after.accept(node);
        });
        assertThat(forEveryPoint(call, false, node -> {})).isPositive();
    }

    /** @return how many effects there were; the last crash comes after all of them, before the answer is out */
    private static int forEveryPoint(Call call, boolean holdsEndWithProcess, Consumer<TestNode> next) {
        for (int point = 0; ; point++) {
            try (var node = new TestNode()) {
                node.devices.holdsEndWithProcess = holdsEndWithProcess;
                call.before.accept(node);
                var where = crash(call, point, node);
                try {
                    node.crashAndRestart();
                    next.accept(node);
                    takeDown(node);
                } catch (RuntimeException | AssertionError failure) {
                    throw new AssertionError(call + ", point " + point + ", " + where.orElse("at the end"), failure);
                }
                if (where.isEmpty()) {
                    return point;
                }
            }
        }
    }

    private static Optional<String> crash(Call call, int point, TestNode node) {
        try (var points = CrashPoints.at(point)) {
            try {
                call.call.accept(node);
            } catch (RuntimeException failure) {
                // Whatever became of the exception on its way up: no process is left to see it.
                if (points.end().isEmpty()) {
                    throw failure;
                }
            }
            return points.end();
        }
    }

    /** What the orchestrator does in the end, after which nothing may be left. */
    private static void takeDown(TestNode node) {
        node.unpublish(VOLUME, "pod");
        node.unpublish(EPHEMERAL, "pod");
        node.unstage(VOLUME);
        assertThat(node.mounts()).isEmpty();
        assertThat(node.loops()).isEmpty();
        assertThat(TestNode.path(node.target("pod"))).doesNotExist();
        assertThat(node.devices.file(EPHEMERAL)).doesNotExist();
        assertThat(node.records.stage(VOLUME)).isEmpty();
        assertThat(node.records.publications(VOLUME)).isEmpty();
        assertThat(node.records.publications(EPHEMERAL)).isEmpty();
        node.engine.forget(VOLUME);
        node.engine.forget(new VolumeId("source"));
        assertThat(node.engine.remembered()).isEmpty();
    }
}
