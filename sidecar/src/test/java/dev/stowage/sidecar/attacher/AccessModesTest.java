package dev.stowage.sidecar.attacher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import csi.v1.VolumeCapability.AccessMode.Mode;
import dev.stowage.core.error.StowageException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessModesTest {

    @ParameterizedTest
    @CsvSource({
        "ReadWriteOnce, SINGLE_NODE_WRITER, SINGLE_NODE_MULTI_WRITER",
        "ReadWriteOncePod, SINGLE_NODE_WRITER, SINGLE_NODE_SINGLE_WRITER",
        "ReadOnlyMany, MULTI_NODE_READER_ONLY, MULTI_NODE_READER_ONLY",
        "ReadWriteMany, MULTI_NODE_MULTI_WRITER, MULTI_NODE_MULTI_WRITER",
        "ReadWriteMany ReadWriteOnce, MULTI_NODE_MULTI_WRITER, MULTI_NODE_MULTI_WRITER",
        "ReadWriteMany ReadOnlyMany ReadWriteOnce, MULTI_NODE_MULTI_WRITER, MULTI_NODE_MULTI_WRITER"
    })
    void everyModeHasOneInCsi(String modes, Mode plain, Mode distinguishing) {
        assertThat(AccessModes.toCsi(List.of(modes.split(" ")), false)).isEqualTo(plain);
        assertThat(AccessModes.toCsi(List.of(modes.split(" ")), true)).isEqualTo(distinguishing);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ReadOnlyMany ReadWriteOnce", "ReadWriteOncePod ReadWriteOnce", "Whatever"})
    void whatCsiCannotSayIsRefused(String modes) {
        assertThatThrownBy(() -> AccessModes.toCsi(List.of(modes.split(" ")), true))
                .isInstanceOf(StowageException.InvalidRequest.class);
    }
}
