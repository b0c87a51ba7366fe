package dev.stowage.linux.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MountTableTest {
    @Test
    void everyFieldOfALineIsRead() {
        var line =
                "36 35 98:0 /mnt1 /mnt\\0402 rw,noatime master:1 shared:7 - ext3 /dev/root\\134x rw,errors=continue\n";
        var table = new MountTable(line.getBytes(StandardCharsets.UTF_8));
        var expected = new MountPoint(
                36,
                35,
                98,
                0,
                "/mnt1",
                Path.of("/mnt 2"),
                Set.of("rw", "noatime"),
                "ext3",
                "/dev/root\\x",
                Set.of("rw", "errors=continue"));
        assertThat(table.all()).containsExactly(expected);
        assertThat(table.at(Path.of("/mnt 2"))).containsExactly(expected);
        assertThat(table.at(Path.of("/mnt"))).isEmpty();
        assertThat(table.ofDevice(98, 0)).containsExactly(expected);
        assertThat(table.ofDevice(9, 0)).isEmpty();
    }
}
