package dev.stowage.lab.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.volume.Sizes;
import dev.stowage.iscsi.Attached;
import dev.stowage.iscsi.Chap;
import dev.stowage.iscsi.Initiator.How;
import dev.stowage.iscsi.Initiators;
import dev.stowage.iscsi.IscsiUnit;
import dev.stowage.iscsi.Portal;
import dev.stowage.iscsi.UnitAddress;
import dev.stowage.iscsi.kernel.OpenIscsi;
import dev.stowage.linux.block.BlockDevices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** What is done in a guest, each in one of its own. Ends with an exception, or with exit code 0. */
public final class Scenarios {

    private static final String ONE = "00000000bbbb0001";
    private static final String TWO = "00000000bbbb0002";
    private static final long SIZE = 64 * Sizes.MIB;

    private final San san = new San();
    private final OpenIscsi initiator = new OpenIscsi(San.NODE, Duration.ofSeconds(5));

    public static void main(String[] arguments) throws Exception {
        var scenarios = new Scenarios();
        switch (arguments[0]) {
            case "secrets" -> scenarios.secrets();
            case "shared-session" -> scenarios.sharedSession();
            case "cut-portal" -> scenarios.cutPortal();
            case "number-reuse" -> scenarios.numberReuse();
            case "growth" -> scenarios.growth();
            case "lost-target" -> scenarios.lostTarget();
            case "vanished-device" -> scenarios.vanishedDevice();
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        System.exit(0);
    }

    private Attached attach(IscsiUnit unit) {
        try (var held = initiator.attach(unit, new How(false, false))) {
            return held.attached();
        }
    }

    private void detach(Attached unit) {
        initiator.detach(unit.address(), Optional.of(unit.serial()), Optional.of(unit.device()));
    }

    private static void assertNothingLeft() {
        assertThat(San.sessions()).isEmpty();
        assertThat(San.disks()).isEmpty();
        assertThat(San.sh("ls /sys/block | grep dm- || true")).isEmpty();
        assertThat(San.sh("find /etc/iscsi/nodes /var/lib/iscsi/nodes -type f 2>/dev/null || true"))
                .isEmpty();
    }

    private void secrets() throws IOException {
        assertThat(Initiators.choose(Path.of("/tmp"), Path.of("/tmp"))).isInstanceOf(OpenIscsi.class);
        san.offer(1, ONE, SIZE);
        var wrong = Chap.oneWay("node-user", "not-the-secret");
        assertThatThrownBy(() -> attach(San.unit(1, ONE, wrong, San.FIRST)))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining("refuses")
                .hasMessageNotContaining("not-the-secret");
        assertNothingLeft();
        var impostor = new Chap(San.CHAP.initiator(), Optional.of(new Chap.Account("array-user", "not-its-secret")));
        assertThatThrownBy(() -> attach(San.unit(1, ONE, impostor, San.FIRST))).isInstanceOf(StowageException.class);
        assertNothingLeft();
        var mutual = new Chap(San.CHAP.initiator(), Optional.of(San.PROOF));
        var unit = attach(San.unit(1, ONE, mutual, San.FIRST));
        assertThat(unit.serial()).isEqualTo(ONE);
        Blocks.write(unit.device(), 0, 7);
        assertThat(Files.readAllBytes(Path.of("/tmp", ONE))).startsWith(7, 7);
        assertThat(attach(San.unit(1, ONE, mutual, San.FIRST))).isEqualTo(unit);
        assertThat(initiator.find(unit.address())).contains(unit);
        detach(unit);
        detach(unit);
        assertNothingLeft();
    }

    private void sharedSession() throws IOException {
        san.offer(1, ONE, SIZE);
        san.offer(2, TWO, SIZE);
        var one = attach(San.unit(1, ONE));
        assertThat(San.disks()).as("units that nobody asked for").hasSize(1);
        var two = attach(San.unit(2, TWO));
        assertThat(San.sessions()).hasSize(1);
        detach(one);
        assertThat(San.sessions()).hasSize(1);
        Blocks.write(two.device(), 0, 5);
        assertThat(initiator.sessions())
                .extracting(session -> session.address())
                .containsExactly(new UnitAddress(San.ARRAY, 2));
        detach(two);
        assertNothingLeft();
    }

    private void cutPortal() throws IOException {
        san.offer(1, ONE, SIZE);
        San.sh("multipath_up");
        var unit = attach(San.unit(1, ONE, San.CHAP, San.FIRST, San.SECOND));
        assertThat(San.sessions()).hasSize(2);
        assertThat(unit.device().toString()).startsWith("/dev/dm-");
        for (int block = 0; block < 60; block++) {
            if (block == 10) {
                San.sh("san_link 2 down");
            }
            Blocks.write(unit.device(), block, block + 1);
        }
        San.sh(
                "for i in {1..300}; do multipathd show paths raw format '%t' | grep -q failed && exit; sleep 0.1; done; exit 1");
        San.sh("san_link 2 up");
        San.sh(
                "for i in {1..600}; do (($(multipathd show paths raw format '%t' | grep -c active) == 2)) && exit; sleep 0.1; done; exit 1");
        for (int block = 0; block < 60; block++) {
            assertThat(Blocks.read(unit.device(), block)).isEqualTo(block + 1);
        }
        detach(unit);
        assertNothingLeft();
    }

    private void numberReuse() throws IOException {
        san.offer(1, ONE, SIZE);
        san.offer(2, "00000000bbbb0009", SIZE);
        var old = attach(San.unit(1, ONE));
        // Keeps the session open, so that the kernel goes on with what it knows of unit 1.
        var other = attach(San.unit(2, "00000000bbbb0009"));
        San.sh("san_remove 1 " + ONE);
        san.offer(1, TWO, SIZE);
        assertThatThrownBy(() -> attach(San.unit(1, ONE)))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining(TWO);
        assertThat(initiator.find(old.address())).isEmpty();
        var fresh = attach(San.unit(1, TWO));
        assertThat(fresh.serial()).isEqualTo(TWO);
        Blocks.write(fresh.device(), 0, 3);
        assertThat(Files.readAllBytes(Path.of("/tmp", TWO))).startsWith(3, 3);
        assertThat(Files.readAllBytes(Path.of("/tmp", ONE))).startsWith(0, 0);
        // Whoever still means the former unit does not take the new one away.
        detach(old);
        assertThat(initiator.find(fresh.address())).contains(fresh);
        detach(fresh);
        detach(other);
        assertNothingLeft();
    }

    private void growth() throws IOException {
        san.offer(1, ONE, SIZE);
        var plain = attach(San.unit(1, ONE));
        San.sh("san_grow 1 %s %d".formatted(ONE, 2 * SIZE));
        assertThat(initiator.grow(plain.address())).isEqualTo(2 * SIZE);
        detach(plain);
        San.sh("multipath_up");
        var joined = attach(San.unit(1, ONE, San.CHAP, San.FIRST, San.SECOND));
        Blocks.write(joined.device(), 0, 4);
        San.sh("san_grow 1 %s %d".formatted(ONE, 3 * SIZE));
        assertThat(initiator.grow(joined.address())).isEqualTo(3 * SIZE);
        assertThat(BlockDevices.size(joined.device())).isEqualTo(3 * SIZE);
        assertThat(Blocks.read(joined.device(), 0)).isEqualTo(4);
        detach(joined);
        assertNothingLeft();
    }

    private void lostTarget() throws IOException {
        san.offer(1, ONE, SIZE);
        var unit = attach(San.unit(1, ONE));
        Blocks.write(unit.device(), 0, 1);
        San.sh("san_link 1 down");
        assertThatThrownBy(() -> Blocks.write(unit.device(), 0, 2)).isInstanceOf(IOException.class);
        assertThat(initiator.sessions().getFirst().trouble()).isPresent();
        detach(unit);
        assertNothingLeft();
        assertThatThrownBy(() -> attach(San.unit(1, ONE))).isInstanceOf(StowageException.Unavailable.class);
        assertNothingLeft();
        San.sh("san_link 1 up");
        var again = attach(San.unit(1, ONE, San.CHAP, new Portal("10.99.1.77", 3260), San.FIRST));
        assertThat(Blocks.read(again.device(), 0)).isEqualTo(1);
        detach(again);
        assertNothingLeft();
    }

    private void vanishedDevice() {
        san.offer(1, ONE, SIZE);
        var unit = attach(San.unit(1, ONE));
        San.sh("echo 1 > /sys/block/%s/device/delete".formatted(unit.device().getFileName()));
        San.sh("for i in {1..100}; do [[ ! -e %s ]] && exit; sleep 0.1; done; exit 1".formatted(unit.device()));
        assertThat(San.sessions()).hasSize(1);
        detach(unit);
        assertNothingLeft();
    }
}
