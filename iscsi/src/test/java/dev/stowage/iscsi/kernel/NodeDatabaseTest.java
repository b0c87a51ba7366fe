package dev.stowage.iscsi.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeDatabaseTest {

    @Test
    void settingsTakeThePlaceOfFormerOnesWithinTheRecord() {
        var record = List.of(
                "# BEGIN RECORD 2.1.8",
                "node.name = iqn.2026-01.org.example:a",
                "node.session.auth.password = former",
                "node.session.scan = auto",
                "# END RECORD");
        assertThat(NodeDatabase.changed(record, Map.of("node.session.auth.password", "a = b # c")))
                .containsExactly(
                        "# BEGIN RECORD 2.1.8",
                        "node.name = iqn.2026-01.org.example:a",
                        "node.session.scan = auto",
                        "node.session.auth.password = a = b # c",
                        "# END RECORD");
    }

    @Test
    void aRecordWithoutAnEndGetsThemAtItsEnd() {
        assertThat(NodeDatabase.changed(List.of("node.startup = automatic"), Map.of("node.startup", "manual")))
                .containsExactly("node.startup = manual");
    }
}
