package dev.stowage.core.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException.InvalidRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdentifiersTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "../etc/passwd",
                "a/b",
                "/abs",
                "-rf",
                "--option",
                ".hidden",
                "a b",
                "a\nb",
                "a\u0000b",
                "a\\b",
                "а",
                "vol\u202e",
                "ｖｏｌ",
                "a;b",
                "$(id)",
                "`id`",
                "a'b",
                "a\"b",
                "a*",
                "~root",
                "a\tb",
                "%2e%2e"
            })
    void anIdThatCouldMeanAnythingElseIsRefused(String hostile) {
        assertThatThrownBy(() -> new VolumeId(hostile)).isInstanceOf(InvalidRequest.class);
        assertThatThrownBy(() -> new SnapshotId(hostile)).isInstanceOf(InvalidRequest.class);
        assertThatThrownBy(() -> new GroupSnapshotId(hostile)).isInstanceOf(InvalidRequest.class);
        assertThatThrownBy(() -> new NodeId(hostile)).isInstanceOf(InvalidRequest.class);
    }

    @Test
    void idsMayBeAsLongAsTheSpecificationAllowsAndNoLonger() {
        assertThat(new VolumeId("v".repeat(128)).value()).hasSize(128);
        assertThat(new NodeId("n".repeat(256)).value()).hasSize(256);
        assertThatThrownBy(() -> new VolumeId("v".repeat(129))).isInstanceOf(InvalidRequest.class);
        assertThatThrownBy(() -> new NodeId("n".repeat(257))).isInstanceOf(InvalidRequest.class);
    }

    @Test
    void aRefusalShowsTheValueOnOneShortLine() {
        assertThatThrownBy(() -> new VolumeId("a\nlevel=info msg=forged" + "x".repeat(100)))
                .hasMessageContaining("\\u{a}")
                .satisfies(refusal ->
                        assertThat(refusal.getMessage()).doesNotContain("\n").hasSizeLessThan(200));
    }

    @ParameterizedTest
    @ValueSource(strings = {"pvc-3f2a", "snapshot 1", "A:b@c+d=e~f.g_h-i"})
    void namesThatOrchestratorsSendAreTaken(String name) {
        assertThat(new RequestName(name).value()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "../x", "a..b", "/x", "-x", "a\nb", "a\u0000", "naïve", "a/b", " lead"})
    void namesThatCouldBeMistakenAreRefused(String name) {
        assertThatThrownBy(() -> new RequestName(name)).isInstanceOf(InvalidRequest.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "relative", "/", "//", "/a//b", "/a/./b", "/a/../b", "/a/..", "/..", "/a\nb", "/a\u0000b"})
    void pathsThatLeadElsewhereAreRefused(String path) {
        assertThatThrownBy(() -> new TargetPath(path)).isInstanceOf(InvalidRequest.class);
    }

    @Test
    void pathsInTheirSimplestFormAreTaken() {
        assertThat(new TargetPath("/var/lib/kubelet/pods/1/volumes/kubernetes.io~csi/x/mount").value())
                .endsWith("/mount");
        assertThat(new TargetPath("/a/b/").value()).isEqualTo("/a/b");
        assertThatThrownBy(() -> new TargetPath("/" + "x".repeat(256))).isInstanceOf(InvalidRequest.class);
        assertThatThrownBy(() -> new TargetPath("/x".repeat(2100))).isInstanceOf(InvalidRequest.class);
    }
}
