package dev.stowage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException.InvalidRequest;
import dev.stowage.linux.filesystem.FilesystemType;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MountOptionsTest {

    private static MountOptions parse(FilesystemType type, String... texts) {
        return MountOptions.parse(type, List.of(texts), false);
    }

    @Test
    void aServersFilesystemIsMountedHardUnlessSomebodyWantsErrors() {
        assertThat(MountOptions.parse("nfs", List.of("nfsvers=4.1,nconnect=4"), false)
                        .values())
                .containsExactly("nfsvers=4.1", "nconnect=4", "hard");
        assertThat(MountOptions.parse("nfs", List.of("softerr,timeo=50"), true).values())
                .containsExactly("softerr", "timeo=50", "ro");
        for (var harmful :
                List.of("addr=192.0.2.9", "clientaddr=192.0.2.9", "mountaddr=192.0.2.9", "bg", "data=writeback")) {
            assertThatThrownBy(() -> MountOptions.parse("nfs", List.of(harmful), false))
                    .isInstanceOf(InvalidRequest.class)
                    .hasMessageContaining("nfs");
        }
    }

    @Test
    void everyTypeHasItsSafeDefaults() {
        assertThat(parse(FilesystemType.EXT4).values()).containsExactly("errors=remount-ro");
        assertThat(parse(FilesystemType.XFS).values()).containsExactly("nouuid");
        assertThat(parse(FilesystemType.BTRFS).values()).isEmpty();
    }

    @Test
    void whatTheUserSaysReplacesTheDefault() {
        assertThat(parse(FilesystemType.EXT4, "noatime,errors=continue").values())
                .containsExactly("noatime", "errors=continue");
    }

    @Test
    void contextAndCapabilityAreBothHeard() {
        assertThat(parse(FilesystemType.XFS, "noatime,discard", "logbsize=256k").values())
                .containsExactly("noatime", "discard", "logbsize=256k", "nouuid");
    }

    @Test
    void anOptionToReadOnlyMakesTheUseReadOnly() {
        var options = parse(FilesystemType.EXT4, "ro");
        assertThat(options.readOnly()).isTrue();
        assertThat(options.values()).contains("ro");
        assertThat(MountOptions.parse(FilesystemType.EXT4, List.of("rw"), true).values())
                .contains("ro")
                .doesNotContain("rw");
    }

    @Test
    void wordsThatOnlyMountProgramsKnowAreLeftOut() {
        assertThat(parse(FilesystemType.BTRFS, "defaults,_netdev,nofail").values())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bind",
                "rbind",
                "remount",
                "move",
                "loop",
                "loop=/dev/loop0",
                "offset=512",
                "logdev=/dev/sda",
                "logdev=sda",
                "rtdev=sda",
                "journal_path=x",
                "journal_dev=259",
                "device=sdb",
                "usrjquota=aquota",
                "subvol=x",
                "subvolid=5",
                "sb=8193",
                "errors=panic",
                "fatal_errors=panic",
                "shared",
                "rslave",
                "x-systemd.automount",
                "context=system_u",
                "noatime nodiratime",
                "noatime\nexec",
                "noatime\0",
                "commit=",
                "commit=5/../6",
                "=x",
                "-o",
                "ｎoatime",
                "NOATIME",
            })
    void hostileOptionsAreRefused(String option) {
        for (var type : FilesystemType.values()) {
            assertThatThrownBy(() -> parse(type, option))
                    .isInstanceOf(InvalidRequest.class)
                    .hasMessageContaining("mount option")
                    .hasMessageNotContaining("\n");
        }
    }

    @Test
    void optionsOfAnotherTypeAreRefused() {
        assertThatThrownBy(() -> parse(FilesystemType.XFS, "data=writeback")).isInstanceOf(InvalidRequest.class);
    }

    @Test
    void endlessOptionsAreRefused() {
        assertThatThrownBy(() -> MountOptions.parse(FilesystemType.EXT4, Collections.nCopies(1000, "noatime"), false))
                .isInstanceOf(InvalidRequest.class);
    }
}
