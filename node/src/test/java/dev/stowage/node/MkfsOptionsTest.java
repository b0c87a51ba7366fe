package dev.stowage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException.InvalidRequest;
import dev.stowage.linux.filesystem.FilesystemType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MkfsOptionsTest {

    @Test
    void layoutsCanBeChosen() {
        assertThat(MkfsOptions.parse(
                        FilesystemType.EXT4, "-b 4096 -O ^has_journal,metadata_csum -m 0 -E lazy_itable_init=0"))
                .containsExactly(
                        "-b", "4096", "-O", "^has_journal,metadata_csum", "-m", "0", "-E", "lazy_itable_init=0");
        assertThat(MkfsOptions.parse(FilesystemType.XFS, "  -d agcount=4 -mreflink=1,crc=1 "))
                .containsExactly("-d", "agcount=4", "-m", "reflink=1,crc=1");
        assertThat(MkfsOptions.parse(FilesystemType.BTRFS, "--nodesize=16k -m single --mixed"))
                .containsExactly("--nodesize", "16k", "-m", "single", "--mixed");
        assertThat(MkfsOptions.parse(FilesystemType.XFS, "")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "EXT4|-d /etc",
                "EXT4|-J device=/dev/sda",
                "EXT4|-J device=sda",
                "EXT4|-O journal_dev",
                "EXT4|-O extents,journal_dev",
                "EXT4|-E offset=4096",
                "EXT4|-U random",
                "EXT4|-L label",
                "EXT4|-z /tmp/undo",
                "EXT4|-S",
                "EXT4|-n",
                "EXT4|-t ext2",
                "EXT4|-F",
                "EXT4|-b",
                "EXT4|-b 4096;reboot",
                "EXT4|-b $(id)",
                "EXT4|/dev/sda",
                "EXT4|4096",
                "EXT4|--",
                "EXT4|-",
                "XFS|-d file=1,name=/tmp/x",
                "XFS|-d name=x",
                "XFS|-l logdev=/dev/sda",
                "XFS|-r rtdev=/dev/sda",
                "XFS|-p /etc/passwd",
                "XFS|-c options=/etc/x",
                "XFS|-m uuid=1234",
                "XFS|-N",
                "XFS|-K",
                "BTRFS|-r /etc",
                "BTRFS|--rootdir=/etc",
                "BTRFS|-b 1g",
                "BTRFS|-m raid1",
                "BTRFS|-U x",
                "BTRFS|--nodesize=",
                "BTRFS|--mixedx",
                "BTRFS|-Mx",
            })
    void whatReachesBeyondTheVolumeOrIsOursToDecideIsRefused(FilesystemType type, String options) {
        assertThatThrownBy(() -> MkfsOptions.parse(type, options))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("mkfsOptions");
    }

    @Test
    void controlCharactersAndEndlessTextAreRefused() {
        for (var text : new String[] {"-b 4096\n-n", "-b\t4096", "-b 4096\0", "-b ４０９６", "-b 4096 ".repeat(500)}) {
            assertThatThrownBy(() -> MkfsOptions.parse(FilesystemType.EXT4, text))
                    .isInstanceOf(InvalidRequest.class);
        }
    }
}
