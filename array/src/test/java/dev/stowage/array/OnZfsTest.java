package dev.stowage.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.array.testing.ArrayUnderTest;
import dev.stowage.array.testing.ZfsPool;
import dev.stowage.core.error.StowageException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The same array, in front of a ZFS pool. */
class OnZfsTest {

    @Test
    void volumesAndTheirCopiesSurviveARestartAndEachOther() throws IOException {
        try (var pool = new ZfsPool();
                var array = new ArrayUnderTest(Optional.of(pool.dataset()))) {
            var volume = array.volume("data", "64M");
            var group = String.valueOf(array.api()
                    .get("/volumes/" + volume + ".json")
                    .done()
                    .object("volume")
                    .get("cg_name"));
            array.api()
                    .post("/consistency_groups/" + group + "/clone.json", Map.of("name", "copy"))
                    .done();
            assertThat(pool.content()).contains("/" + volume + "\n").contains("@copy-");
            array.api().delete("/volumes/" + volume + ".json").done();
            array.api()
                    .delete("/volumes/" + volume + "/delete_volume_from_recycle_bin.json")
                    .done();
            array.crash();
            array.start();

            assertThat(array.api().get("/volumes.json").done().list("volumes"))
                    .singleElement()
                    .satisfies(copy -> assertThat(copy.get("display_name")).isEqualTo("copy"));
            assertThat(pool.content()).doesNotContain("/" + volume);

            array.stop();
            assertThatThrownBy(() -> StorageArray.open(array.settings().on(ArraySettings.Backing.USUAL)))
                    .isInstanceOf(StowageException.NotPossible.class)
                    .hasMessageContaining(pool.dataset());
            array.start();
        }
    }
}
