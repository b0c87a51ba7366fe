package dev.stowage.linux.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.testing.Scratch;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectoryTest {
    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "/etc", "../x", "a\0b"})
    void aNameThatIsNotOneComponentIsRefused(String name) throws Exception {
        try (var scratch = new Scratch()) {
            assertThatThrownBy(() -> scratch.directory().create(name)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> scratch.directory().unlink(name)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> scratch.directory().child(name)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> scratch.directory().rename("x", name))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aSymbolicLinkIsNeverFollowed() throws Exception {
        try (var scratch = new Scratch()) {
            Files.createSymbolicLink(scratch.path("file"), Path.of("/etc/passwd"));
            Files.createSymbolicLink(scratch.path("directory"), Path.of("/etc"));
            assertThatThrownBy(() -> scratch.directory().open("file", false))
                    .isInstanceOfSatisfying(
                            SyscallException.class,
                            e -> assertThat(e.is(Errno.ELOOP)).isTrue());
            assertThatThrownBy(() -> scratch.directory().child("directory"))
                    .isInstanceOfSatisfying(
                            SyscallException.class,
                            e -> assertThat(e.is(Errno.ELOOP)).isTrue());
            assertThatThrownBy(() -> scratch.directory().create("file"))
                    .isInstanceOfSatisfying(
                            SyscallException.class,
                            e -> assertThat(e.is(Errno.EEXIST)).isTrue());
            assertThat(scratch.directory().unlink("file")).isTrue();
            assertThat(Path.of("/etc/passwd")).exists();
        }
    }

    @Test
    void aNamedPipeInTheWayDoesNotHangTheOpener() throws Exception {
        try (var scratch = new Scratch()) {
            assertThat(new ProcessBuilder("mkfifo", scratch.path("pipe").toString())
                            .start()
                            .waitFor())
                    .isZero();
            assertThatThrownBy(() -> scratch.directory().open("pipe", false)).isInstanceOf(SyscallException.class);
        }
    }

    @Test
    void manyNamesAreListedCompletely() throws Exception {
        try (var scratch = new Scratch()) {
            var expected = new ArrayList<String>();
            for (int i = 0; i < 2000; i++) {
                var name = "a-rather-long-name-of-a-file-" + i;
                scratch.directory().create(name).close();
                expected.add(name);
            }
            assertThat(scratch.directory().names()).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(scratch.directory().names()).hasSize(2000);
        }
    }

    @Test
    void filesAndDirectoriesAreMadeRenamedAndRemoved() throws Exception {
        try (var scratch = new Scratch()) {
            var directory = scratch.directory();
            try (var child = directory.createChild("child", 0700);
                    var again = directory.createChild("child", 0700);
                    var file = child.create("one")) {
                file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 5);
                assertThat(file.size()).isEqualTo(8);
                child.rename("one", "two");
                child.sync();
                assertThat(again.names()).isEqualTo(List.of("two"));
                try (var reopened = child.open("two", false)) {
                    var content = ByteBuffer.allocate(8);
                    assertThat(reopened.read(content, 0)).isEqualTo(8);
                    assertThat(content.array()).containsExactly(0, 0, 0, 0, 0, 1, 2, 3);
                    assertThat(reopened.read(ByteBuffer.allocate(1), 8)).isEqualTo(-1);
                    assertThat(reopened.identity()).isEqualTo(file.identity());
                }
                assertThatThrownBy(() -> directory.removeChild("child"))
                        .isInstanceOfSatisfying(
                                SyscallException.class,
                                e -> assertThat(e.is(Errno.ENOTEMPTY)).isTrue())
                        .hasMessageContaining("child");
                assertThat(child.unlink("two")).isTrue();
                assertThat(child.unlink("two")).isFalse();
            }
            assertThat(directory.removeChild("child")).isTrue();
            assertThat(directory.removeChild("child")).isFalse();
            assertThat(directory.exists("child")).isFalse();
        }
    }

    @Test
    void spaceIsAllocatedPunchedAndFound() throws Exception {
        try (var scratch = new Scratch();
                var file = scratch.directory().create("file")) {
            file.truncate(10 << 20);
            assertThat(file.allocatedBytes()).isZero();
            assertThat(file.nextData(0)).isEqualTo(-1);
            file.allocate(0, 10 << 20);
            assertThat(file.allocatedBytes()).isGreaterThanOrEqualTo(10 << 20);
            file.write(ByteBuffer.wrap(new byte[4096]), 1 << 20);
            file.sync();
            assertThat(file.nextData(0)).isEqualTo(1 << 20);
            assertThat(file.nextHole(1 << 20)).isEqualTo((1 << 20) + 4096);
            file.punch(0, 10 << 20);
            assertThat(file.allocatedBytes()).isLessThan(1 << 20);
            assertThat(file.size()).isEqualTo(10 << 20);
        }
    }
}
