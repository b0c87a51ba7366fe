package dev.stowage.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.array.iscsi.Portal;
import dev.stowage.array.testing.ArrayUnderTest;
import dev.stowage.core.error.StowageException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The array is reached where it was told to be, and nowhere else. */
class PortalsTest {

    private static final String IQN = "iqn.2026-01.test:portals";

    @Test
    void aVolumeIsTheSameThroughEveryPortal() throws IOException {
        try (var array = new ArrayUnderTest("127.0.0.1", "127.0.0.2", "[::1]")) {
            var volume = array.volume("shared", "16M");
            var server = array.server("shared", IQN);
            array.attach(server, volume);
            var initiator = array.initiator(volume, server, IQN);
            int pattern = 0;
            for (Portal portal : array.portals()) {
                pattern++;
                initiator.through(portal).io("write -P " + pattern + " 0 64k").orThrow();
                for (Portal other : array.portals()) {
                    assertThat(initiator
                                    .through(other)
                                    .io("read -P " + pattern + " 0 64k")
                                    .orThrow()
                                    .stdout())
                            .doesNotContain("verification failed");
                }
            }

            var controller =
                    array.api().get("/vcontrollers.json").list("vcontrollers").getFirst();
            assertThat(controller.get("iscsi_ip")).isEqualTo("127.0.0.1");
            assertThat(controller.get("iscsi_ipv6")).isEqualTo("::1");
            assertThat(controller.get("portals"))
                    .isEqualTo(array.portals().stream().map(Portal::toString).toList());
        }
    }

    @Test
    void anotherPortalAtTheNextStartTakesTheOldOnesPlace() throws IOException {
        try (var array = new ArrayUnderTest()) {
            var volume = array.volume("moved", "16M");
            var server = array.server("moved", IQN);
            array.attach(server, volume);
            var before = array.initiator(volume, server, IQN);
            before.io("write -P 3 0 64k").orThrow();

            array.crash();
            array.move("[::1]");
            array.start();

            var after = array.initiator(volume, server, IQN);
            assertThat(after.io("read -P 3 0 64k").orThrow().stdout()).doesNotContain("verification failed");
            assertThat(before.io("read 0 512").exitCode()).isNotZero();
        }
    }

    @Test
    void aPortThatIsTakenIsToldAndNothingIsLeftRunning() throws IOException {
        try (var array = new ArrayUnderTest();
                var other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            array.stop();
            array.move(List.of(new Portal("127.0.0.1", other.getLocalPort())));

            assertThatThrownBy(array::start)
                    .isInstanceOf(StowageException.NotPossible.class)
                    .hasMessageContaining("127.0.0.1:" + other.getLocalPort());
            assertThat(array.targetProcessFile()).doesNotExist();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0.0.0.0:3260", "[::]:3260", "somewhere:3260", "127.0.0.1", "127.0.0.1:99999", "1.2.3:3260"})
    void whatIsNoAddressToConnectToIsRefused(String text) {
        assertThatThrownBy(() -> Portal.parse(text))
                .isInstanceOf(StowageException.InvalidRequest.class)
                .hasMessageContaining(text);
    }
}
