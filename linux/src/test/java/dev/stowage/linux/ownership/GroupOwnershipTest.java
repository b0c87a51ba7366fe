package dev.stowage.linux.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.linux.UnsafePathException;
import dev.stowage.linux.effect.Effects;
import dev.stowage.linux.mount.Mounts;
import dev.stowage.linux.testing.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GroupOwnershipTest {
    private static final int GROUP = 54321;

    @AfterEach
    void stopObserving() {
        Effects.observe(null);
    }

    @Test
    void everythingBelowIsGivenToTheGroup() throws Exception {
        try (var scratch = new Scratch()) {
            var root = tree(scratch, 60, 60);
            Files.createSymbolicLink(root.resolve("dangling"), Path.of("nowhere"));
            var program = Files.createFile(root.resolve("program"));
            chmod(program, 04755);
            var grouped = Files.createFile(root.resolve("grouped"));
            chmod(grouped, 02755);
            GroupOwnership.apply(root, GROUP);
            try (var all = Files.walk(root)) {
                all.forEach(path -> {
                    assertThat(gid(path)).as(path.toString()).isEqualTo(GROUP);
                    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                        assertThat(mode(path) & 02070).as(path.toString()).isEqualTo(02070);
                    } else if (!Files.isSymbolicLink(path)) {
                        assertThat(mode(path) & 0060).as(path.toString()).isEqualTo(0060);
                    }
                });
            }
            assertThat(mode(program)).isEqualTo(04775);
            assertThat(mode(grouped)).isEqualTo(0775);
            assertThat(mode(root.resolve("directory0/file0"))).isEqualTo(0660);
        }
    }

    @Test
    void whatASymbolicLinkLeadsToIsNotTouched() throws Exception {
        try (var scratch = new Scratch()) {
            var outside = Files.createDirectory(scratch.path("outside"));
            var secret = Files.createFile(outside.resolve("secret"));
            chmod(secret, 0600);
            chmod(outside, 0700);
            var root = tree(scratch, 1, 1);
            Files.createSymbolicLink(root.resolve("file"), secret);
            Files.createSymbolicLink(root.resolve("directory"), outside);
            GroupOwnership.apply(root, GROUP);
            assertThat(gid(secret)).isZero();
            assertThat(mode(secret)).isEqualTo(0600);
            assertThat(gid(outside)).isZero();
            assertThat(mode(outside)).isEqualTo(0700);
            assertThat(gid(root.resolve("file"))).isEqualTo(GROUP);
            var link = Files.createSymbolicLink(scratch.path("link"), outside);
            assertThatThrownBy(() -> GroupOwnership.apply(link, GROUP)).isInstanceOf(UnsafePathException.class);
        }
    }

    @Test
    void anotherFilesystemMountedInsideIsNotTouched() throws Exception {
        try (var scratch = new Scratch()) {
            var root = tree(scratch, 1, 1);
            var other = Files.createDirectory(scratch.path("other"));
            var file = Files.createFile(other.resolve("file"));
            var inside = root.resolve("inside");
            Mounts.ensureDirectory(inside);
            try {
                Mounts.bind(other, inside, false);
                GroupOwnership.apply(root, GROUP);
                assertThat(gid(file)).isZero();
                assertThat(gid(other)).isZero();
                assertThat(gid(root.resolve("directory0/file0"))).isEqualTo(GROUP);
            } finally {
                Mounts.unmount(inside);
            }
        }
    }

    @Test
    void anInterruptedRunLeavesTheRootWrongAndARepeatFinishesIt() throws Exception {
        try (var scratch = new Scratch()) {
            var root = tree(scratch, 5, 5);
            var steps = new AtomicInteger();
            Effects.observe(new Effects.Observer() {
                @Override
                public void before(String kind, String detail) {
                    if (steps.incrementAndGet() == 3) {
                        throw new IllegalStateException("interrupted");
                    }
                }

                @Override
                public void after(String kind, String detail) {}
            });
            assertThatThrownBy(() -> GroupOwnership.apply(root, GROUP)).hasMessage("interrupted");
            Effects.observe(null);
            assertThat(gid(root)).isZero();
            GroupOwnership.apply(root, GROUP);
            try (var all = Files.walk(root)) {
                assertThat(all).allMatch(path -> gid(path) == GROUP);
            }
        }
    }

    @Test
    void aTreeWhoseRootIsRightIsNotLookedAtAgain() throws Exception {
        try (var scratch = new Scratch()) {
            var root = tree(scratch, 2, 2);
            GroupOwnership.apply(root, GROUP);
            var file = root.resolve("directory0/file0");
            Files.setAttribute(file, "unix:gid", 0);
            Set<String> seen = ConcurrentHashMap.newKeySet();
            Effects.observe(new Effects.Observer() {
                @Override
                public void before(String kind, String detail) {
                    seen.add(kind);
                }

                @Override
                public void after(String kind, String detail) {}
            });
            GroupOwnership.apply(root, GROUP);
            assertThat(seen).isEmpty();
            assertThat(gid(file)).isZero();
        }
    }

    @Test
    void aDeepTreeIsFollowedToItsEnd() throws Exception {
        try (var scratch = new Scratch()) {
            var root = Files.createDirectory(scratch.path("root"));
            var deepest = root;
            for (int i = 0; i < 400; i++) {
                deepest = Files.createDirectory(deepest.resolve("d" + i % 10));
            }
            GroupOwnership.apply(root, GROUP);
            assertThat(gid(deepest)).isEqualTo(GROUP);
        }
    }

    private static Path tree(Scratch scratch, int directories, int files) throws IOException {
        var root = Files.createDirectory(scratch.path("root"));
        for (int i = 0; i < directories; i++) {
            var directory = Files.createDirectory(root.resolve("directory" + i));
            var nested = Files.createDirectory(directory.resolve("nested"));
            for (int j = 0; j < files; j++) {
                chmod(Files.createFile(directory.resolve("file" + j)), 0600);
                Files.createFile(nested.resolve("file" + j));
            }
        }
        return root;
    }

    private static void chmod(Path path, int mode) throws IOException {
        Files.setAttribute(path, "unix:mode", mode);
    }

    private static int gid(Path path) {
        return attribute(path, "unix:gid");
    }

    private static int mode(Path path) {
        return attribute(path, "unix:mode") & 07777;
    }

    private static int attribute(Path path, String name) {
        try {
            return (Integer) Files.getAttribute(path, name, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }
}
