package dev.stowage.array.nfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told to the NFS server, and what is told when there is none. */
class GaneshaSharesTest {

    @TempDir
    private Path scratch;

    @Test
    void aMachineWithoutTheServerIsToldWhatToInstall() {
        assertThatThrownBy(() -> GaneshaShares.requireProgram(List.of(scratch.toString())))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining("nfs-ganesha")
                .hasMessageContaining("block=YES");
    }

    @Test
    void nobodyIsLetInButTheClients() {
        var share = new Share(
                7,
                "volume-00000007",
                "seven",
                Path.of("/data/volumes/volume-00000007"),
                List.of(new Share.Client("192.0.2.7", false), new Share.Client("192.0.2.128/25", true)),
                true,
                OptionalLong.of(99),
                OptionalLong.empty());

        var text =
                GaneshaSettings.text("::1", 2049, Path.of("/data/nfs/state"), Path.of("/data/shares"), List.of(share));

        assertThat(text)
                .contains("EXPORT_DEFAULTS { Access_Type = None;")
                .contains("Bind_addr = ::1;")
                .contains("Export_Id = 7; Path = \"/data/shares/volume-00000007\"; Pseudo = \"/export/seven\";")
                .contains("Squash = root_squash; Anonymous_uid = 99;")
                .contains("CLIENT { Clients = 192.0.2.7; Access_Type = RW; }")
                .contains("CLIENT { Clients = 192.0.2.128/25; Access_Type = RO; }")
                .doesNotContain("Anonymous_gid");
    }
}
