package dev.stowage.iscsi.qemu;

import static dev.stowage.iscsi.qemu.InitiatorUnderTest.WRITABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.volume.Sizes;
import dev.stowage.iscsi.Attached;
import dev.stowage.iscsi.Chap;
import dev.stowage.iscsi.Initiator.How;
import dev.stowage.iscsi.testing.Tgt;
import dev.stowage.linux.loop.LoopDevices;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QemuInitiatorTest {

    private static final String FIRST = "00000000aaaa0001";
    private static final String SECOND = "00000000aaaa0002";

    private InitiatorUnderTest test;

    @BeforeEach
    void start() throws IOException {
        test = new InitiatorUnderTest();
        test.tgt.offer(1, FIRST, 64 * Sizes.MIB);
        test.tgt.offer(2, SECOND, 32 * Sizes.MIB);
    }

    @AfterEach
    void stop() throws IOException {
        test.close();
    }

    private Attached attach(int lun) {
        try (var held = test.initiator.attach(test.tgt.unit(lun), WRITABLE)) {
            return held.attached();
        }
    }

    private void assertElsewhere(int lun, int value) {
        var read = test.tgt.elsewhere(lun, "read -P " + value + " 0 4k").orThrow();
        assertThat(read.stdout()).doesNotContain("Pattern verification failed");
    }

    @Test
    void whatIsSyncedIsAtTheTarget() throws IOException {
        var unit = attach(1);
        assertThat(unit.serial()).isEqualTo(FIRST);
        assertThat(LoopDevices.size(unit.minor())).isEqualTo(64 * Sizes.MIB);
        InitiatorUnderTest.write(unit, 7);
        assertElsewhere(1, 7);
    }

    @Test
    void whatIsSyncedSurvivesTheDeathOfTheDaemon() throws IOException {
        var unit = attach(1);
        InitiatorUnderTest.write(unit, 9);
        test.killDaemons();
        assertElsewhere(1, 9);
    }

    @Test
    void attachingAgainGivesTheSameDevice() throws IOException {
        var unit = attach(1);
        assertThat(attach(1)).isEqualTo(unit);
        assertThat(test.initiator.find(unit.address())).contains(unit);
        assertThat(test.loops()).hasSize(1);
        assertThat(test.units()).hasSize(1);
    }

    @Test
    void aWrongSecretIsRefusedAndLeavesNothing() throws IOException {
        var wrong = test.tgt.unit(1, Optional.empty(), Optional.of(Chap.oneWay("node-user", "another-secret")));
        assertThatThrownBy(() -> test.initiator.attach(wrong, WRITABLE))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining("refuses this node's login")
                .hasMessageNotContaining("another-secret");
        assertThat(test.units()).isEmpty();
    }

    @Test
    void theTargetHasToProveItselfWhenThatIsAsked() throws IOException {
        var proven = new Chap(Tgt.ACCOUNT, Optional.of(Tgt.TARGET_ACCOUNT));
        try (var held = test.initiator.attach(test.tgt.unit(1, Optional.of(FIRST), Optional.of(proven)), WRITABLE)) {
            InitiatorUnderTest.write(held.attached(), 3);
        }
        var impostor = new Chap(
                Tgt.ACCOUNT, Optional.of(new Chap.Account(Tgt.TARGET_ACCOUNT.user(), "what-it-does-not-know")));
        assertThatThrownBy(() ->
                        test.initiator.attach(test.tgt.unit(2, Optional.empty(), Optional.of(impostor)), WRITABLE))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining("prove itself");
    }

    @Test
    void anotherUnitThanTheExpectedIsNotTouched() throws IOException {
        var wanted = test.tgt.unit(1, Optional.of(SECOND), test.tgt.unit(1).chap());
        assertThatThrownBy(() -> test.initiator.attach(wanted, WRITABLE))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining(FIRST)
                .hasMessageContaining(SECOND);
        assertThat(test.units()).isEmpty();
    }

    @Test
    void aUnitThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> attach(9))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining("there is no unit 9");
    }

    @Test
    void unitsOfOneTargetComeAndGoApart() throws IOException {
        var first = attach(1);
        var second = attach(2);
        test.initiator.detach(first.address(), Optional.of(FIRST), Optional.of(first.device()));
        InitiatorUnderTest.write(second, 5);
        assertElsewhere(2, 5);
        assertThat(test.initiator.find(first.address())).isEmpty();
        assertThat(test.initiator.sessions())
                .extracting(session -> session.serial())
                .containsExactly(SECOND);
    }

    @Test
    void detachingLeavesNothing() throws IOException {
        var unit = attach(1);
        var process = test.daemon(test.units().getFirst());
        test.initiator.detach(unit.address(), Optional.of(FIRST), Optional.of(unit.device()));
        assertThat(test.units()).isEmpty();
        assertThat(test.loops()).isEmpty();
        assertThat(test.mounts()).isEmpty();
        assertThat(process.isAlive()).isFalse();
        assertThat(test.tgt.connections()).isEmpty();
        test.initiator.detach(unit.address(), Optional.of(FIRST), Optional.of(unit.device()));
    }

    @Test
    void aDeviceThatIsHeldByItsMountVanishesWithItsLastUser() throws IOException {
        var held = test.initiator.attach(test.tgt.unit(1), new How(false, true));
        assertThat(test.loops()).hasSize(1);
        held.close();
        assertThat(test.loops()).isEmpty();
        test.initiator.detach(held.attached().address(), Optional.of(FIRST), Optional.empty());
    }

    @Test
    void aUnitGrowsWhileItIsInUse() throws Exception {
        var unit = attach(1);
        InitiatorUnderTest.write(unit, 4);
        test.tgt.grow(1, FIRST, 96 * Sizes.MIB);
        assertThat(test.initiator.grow(unit.address())).isEqualTo(96 * Sizes.MIB);
        assertThat(LoopDevices.size(unit.minor())).isEqualTo(96 * Sizes.MIB);
        assertThat(InitiatorUnderTest.read(unit)).isEqualTo(4);
        InitiatorUnderTest.write(unit, 6);
        assertElsewhere(1, 6);
        assertThat(test.initiator.grow(unit.address())).isEqualTo(96 * Sizes.MIB);
    }

    @Test
    void driverAndServerMayEndWhileUnitsAreInUse() throws IOException {
        var unit = attach(1);
        test.restartDriver();
        test.restartServer();
        assertThat(test.initiator.find(unit.address())).contains(unit);
        InitiatorUnderTest.write(unit, 8);
        assertElsewhere(1, 8);
        assertThat(attach(1)).isEqualTo(unit);
        test.initiator.detach(unit.address(), Optional.of(FIRST), Optional.of(unit.device()));
        assertThat(test.units()).isEmpty();
    }

    @Test
    void aKilledDaemonGivesErrorsAndATroubleAndCanBeReplaced() throws IOException {
        var unit = attach(1);
        InitiatorUnderTest.write(unit, 1);
        test.killDaemons();
        assertThatThrownBy(() -> InitiatorUnderTest.write(unit, 2)).isInstanceOf(IOException.class);
        assertThat(test.initiator.find(unit.address())).isEmpty();
        assertThat(test.initiator.sessions().getFirst().trouble()).isPresent();
        test.initiator.detach(unit.address(), Optional.of(FIRST), Optional.of(unit.device()));
        assertThat(test.loops()).isEmpty();
        var again = attach(1);
        assertThat(InitiatorUnderTest.read(again)).isEqualTo(1);
    }

    @Test
    void replacingADeadDaemonDoesNotNeedADetachBefore() throws IOException {
        var unit = attach(1);
        InitiatorUnderTest.write(unit, 1);
        test.killDaemons();
        var again = attach(1);
        assertThat(InitiatorUnderTest.read(again)).isEqualTo(1);
        test.initiator.detach(unit.address(), Optional.of(FIRST), Optional.of(unit.device()));
        assertThat(LoopDevices.attached())
                .noneMatch(
                        loop -> loop.number() == unit.minor() && loop.backing().equals(LoopDevices.LOST));
    }

    @Test
    void whoeverWaitsForASilentTargetGetsAnErrorAndNothingIsWrittenLater() throws Exception {
        var unit = attach(1);
        InitiatorUnderTest.write(unit, 1);
        test.tgt.fence(1);
        assertThatThrownBy(() -> InitiatorUnderTest.write(unit, 2)).isInstanceOf(IOException.class);
        test.tgt.offer(1, FIRST, 64 * Sizes.MIB);
        test.tgt.admit(Tgt.NODE);
        test.tgt.admit(Tgt.OTHER_NODE);
        assertThat(test.tgt.connections()).isEmpty();
        assertElsewhere(1, 1);
    }

    @Test
    void aNumberThatAnotherUnitHasNowIsNotServedByTheOldConnection() throws Exception {
        var old = attach(1);
        var process = test.daemon(test.units().getFirst());
        test.tgt.fence(1);
        test.tgt.offer(1, "00000000aaaa0003", 64 * Sizes.MIB);
        test.tgt.admit(Tgt.NODE);
        test.tgt.admit(Tgt.OTHER_NODE);
        var fresh = attach(1);
        assertThat(fresh.serial()).isEqualTo("00000000aaaa0003");
        assertThat(fresh.device()).isNotEqualTo(old.device());
        assertThat(process.isAlive()).isFalse();
        assertThatThrownBy(() -> InitiatorUnderTest.write(old, 2)).isInstanceOf(IOException.class);
        test.initiator.detach(old.address(), Optional.of(FIRST), Optional.of(old.device()));
        InitiatorUnderTest.write(fresh, 3);
        assertElsewhere(1, 3);
    }

    @Test
    void secretsAreNowhereToBeSeen() throws IOException {
        var chap = new Chap(Tgt.ACCOUNT, Optional.of(Tgt.TARGET_ACCOUNT));
        var wanted = test.tgt.unit(1, Optional.of(FIRST), Optional.of(chap));
        test.initiator.attach(wanted, WRITABLE).close();
        assertThat(wanted.toString()).doesNotContain("s3cret");
        var unit = test.units().getFirst();
        var arguments = Files.readString(Path.of("/proc/" + test.daemon(unit).pid() + "/cmdline"));
        assertThat(arguments).contains("node-user").doesNotContain("s3cret");
        for (var name : Set.of("state", "log", "pid")) {
            assertThat(Files.readString(unit.resolve(name), StandardCharsets.ISO_8859_1))
                    .doesNotContain("s3cret");
        }
    }
}
