package dev.stowage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException.InvalidRequest;
import dev.stowage.core.id.VolumeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExportTest {

    private static final VolumeId VOLUME = new VolumeId("v1");

    @Test
    void anExportIsReadAndWrittenAsTheKernelShowsIt() {
        assertThat(Export.parse(VOLUME, "192.0.2.1:/export/x")).isEqualTo(new Export("192.0.2.1", "/export/x"));
        assertThat(Export.parse(VOLUME, "array.example.com:/export/x/").source())
                .isEqualTo("array.example.com:/export/x");
        assertThat(Export.parse(VOLUME, "[2001:db8::1]:/export/pvc-1").source())
                .isEqualTo("[2001:db8::1]:/export/pvc-1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/export/x",
                "192.0.2.1:",
                "192.0.2.1:export",
                "192.0.2.1:/",
                "192.0.2.1:/export/../etc",
                "192.0.2.1:/export/x,addr=1.2.3.4",
                "192.0.2.1:/export/x y",
                "-o ro:/export/x",
                "192.0.2.1:/export/x\n"
            })
    void whatIsNoExportIsRefused(String text) {
        assertThatThrownBy(() -> Export.parse(VOLUME, text))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("v1");
    }
}
