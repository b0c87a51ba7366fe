package dev.stowage.array.iscsi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.array.iscsi.TgtView.Connection;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TgtViewTest {

    private static final String SERVED = """
            Target 1: iqn.2026-01.dev.stowage:a:srv-00000001
                System information:
                    Driver: iscsi
                    State: ready
                I_T nexus information:
                    I_T nexus: 6
                        Initiator: iqn.x:me alias: none
                        Connection: 0
                            IP Address: 127.0.0.1
                LUN information:
                    LUN: 0
                        Type: controller
                        SCSI ID: IET     00010000
                        Readonly: No
                        Backing store path: None
                        Backing store flags:
                    LUN: 7
                        Type: disk
                        SCSI ID: abcdef0100000001
                        SCSI SN: abcdef0100000001
                        Readonly: Yes
                        Backing store path: /data/volumes/volume-00000001
                        Backing store flags:
                Account information:
                    stowage
                    host (outgoing)
                ACL information:
                    iqn.x:me
            Target 2: iqn.2026-01.dev.stowage:a:srv-00000002
                System information:
                    Driver: iscsi
                LUN information:
                    LUN: 0
                        Type: controller
                Account information:
                ACL information:
            """;

    @Test
    void aTargetIsReadWithItsUnitsAccountsAndRules() {
        var targets = TgtView.targets(SERVED);

        assertThat(targets).hasSize(2);
        var first = targets.getFirst();
        assertThat(first.number()).isEqualTo(1);
        assertThat(first.name()).endsWith("srv-00000001");
        assertThat(first.accounts()).containsExactly("stowage", "host (outgoing)");
        assertThat(first.admitted()).containsExactly("iqn.x:me");
        assertThat(first.units()).hasSize(2);
        var unit = new Unit(7, Path.of("/data/volumes/volume-00000001"), "abcdef0100000001", true);
        assertThat(first.units().getLast().serves(unit)).isTrue();
        assertThat(first.units().getFirst().serves(unit)).isFalse();
        assertThat(targets.getLast().admitted()).isEmpty();
    }

    @Test
    void connectionsAreReadWithTheirSessions() {
        var connections = TgtView.connections("""
                Session: 6
                    Connection: 0
                        Initiator: iqn.x:me
                        IP Address: 127.0.0.1
                    Connection: 1
                Session: 9
                    Connection: 0
                """);

        assertThat(connections).containsExactly(new Connection(6, 0), new Connection(6, 1), new Connection(9, 0));
    }
}
