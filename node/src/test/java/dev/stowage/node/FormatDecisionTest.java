package dev.stowage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException.NotPossible;
import dev.stowage.core.id.VolumeId;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.linux.filesystem.Signature;
import dev.stowage.node.FormatDecision.Adopt;
import dev.stowage.node.FormatDecision.AdoptWithNewUuid;
import dev.stowage.node.FormatDecision.Format;
import dev.stowage.node.FormatDecision.FormatIfAllBlank;
import dev.stowage.node.FormatDecision.Situation;
import dev.stowage.node.FormatDecision.Use;
import dev.stowage.node.record.FilesystemRecord;
import dev.stowage.node.record.FilesystemRecord.State;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FormatDecisionTest {

    private static final VolumeId VOLUME = new VolumeId("v1");
    private static final UUID OURS = UUID.randomUUID();
    private static final UUID OTHER = UUID.randomUUID();
    private static final Signature BLANK = new Signature.Blank();
    private static final Signature FOREIGN = new Signature.Foreign("an LVM physical volume");
    private static final FilesystemRecord NEVER = FilesystemRecord.getDefaultInstance();

    private static Signature known(FilesystemType type, UUID uuid) {
        return new Signature.Known(type, uuid, "");
    }

    private static FilesystemRecord record(State state, FilesystemType type) {
        return FilesystemRecord.newBuilder()
                .setState(state)
                .setType(type.mountName())
                .setUuid(OURS.toString())
                .build();
    }

    private static FilesystemRecord usedAsBlock(FilesystemRecord record) {
        return record.toBuilder().setUsedAsBlock(true).build();
    }

    private static FormatDecision decide(FilesystemRecord record, Signature found, FilesystemType wanted) {
        return FormatDecision.of(new Situation(VOLUME, record, found, wanted, true, true));
    }

    private static FormatDecision decideElsewhere(FilesystemRecord record, Signature found, FilesystemType wanted) {
        return FormatDecision.of(new Situation(VOLUME, record, found, wanted, false, true));
    }

    @Test
    void onlyABlankDeviceOfWhichNothingIsRecordedIsFormatted() {
        assertThat(decide(NEVER, BLANK, FilesystemType.EXT4)).isEqualTo(new Format());
        assertThatThrownBy(() -> decide(NEVER, FOREIGN, FilesystemType.EXT4))
                .isInstanceOf(NotPossible.class)
                .hasMessageContaining("an LVM physical volume");
    }

    @Test
    void aFilesystemThatCameWithTheVolumeIsAdoptedIfItIsOfTheWantedType() {
        assertThat(decide(NEVER, known(FilesystemType.XFS, OTHER), FilesystemType.XFS))
                .isEqualTo(new Adopt(OTHER));
        assertThatThrownBy(() -> decide(NEVER, known(FilesystemType.XFS, OTHER), FilesystemType.EXT4))
                .isInstanceOf(NotPossible.class)
                .hasMessageContaining("xfs")
                .hasMessageContaining("ext4");
    }

    @Test
    void anAdoptedBtrfsGetsAnIdentityOfItsOwn() {
        assertThat(decide(NEVER, known(FilesystemType.BTRFS, OTHER), FilesystemType.BTRFS))
                .isEqualTo(new AdoptWithNewUuid());
        var changing = record(State.CHANGING_UUID, FilesystemType.BTRFS);
        for (var uuid : new UUID[] {OTHER, OURS}) {
            assertThat(decide(changing, known(FilesystemType.BTRFS, uuid), FilesystemType.BTRFS))
                    .isEqualTo(new AdoptWithNewUuid());
        }
        assertThatThrownBy(() -> decide(changing, BLANK, FilesystemType.BTRFS))
                .isInstanceOf(NotPossible.class)
                .hasMessageContaining("data loss");
    }

    @Test
    void theRecordedFilesystemIsUsed() {
        assertThat(decide(
                        record(State.PRESENT, FilesystemType.EXT4),
                        known(FilesystemType.EXT4, OURS),
                        FilesystemType.EXT4))
                .isEqualTo(new Use());
    }

    @Test
    void whatHadAFilesystemIsNeverFormattedAgain() {
        var record = record(State.PRESENT, FilesystemType.EXT4);
        for (var found :
                new Signature[] {BLANK, FOREIGN, known(FilesystemType.EXT4, OTHER), known(FilesystemType.XFS, OURS)}) {
            assertThatThrownBy(() -> decide(record, found, FilesystemType.EXT4))
                    .isInstanceOf(NotPossible.class)
                    .hasMessageContaining("data loss suspected");
        }
        assertThatThrownBy(() -> decide(record, known(FilesystemType.EXT4, OURS), FilesystemType.XFS))
                .isInstanceOf(NotPossible.class)
                .hasMessageContaining("holds a filesystem ext4, but xfs is wanted");
    }

    @Test
    void anInterruptedFormattingThatIsOursAloneIsDoneAgainWhateverIsThere() {
        var record = record(State.FORMATTING, FilesystemType.EXT4);
        for (var found :
                new Signature[] {BLANK, FOREIGN, known(FilesystemType.EXT4, OURS), known(FilesystemType.XFS, OTHER)}) {
            assertThat(decide(record, found, FilesystemType.XFS)).isEqualTo(new Format());
        }
    }

    @Test
    void anInterruptedFormattingOfAVolumeThatMayHaveBeenElsewhereDestroysNothing() {
        var record = record(State.FORMATTING, FilesystemType.EXT4);
        assertThat(decideElsewhere(record, BLANK, FilesystemType.EXT4)).isEqualTo(new Format());
        assertThat(decideElsewhere(record, known(FilesystemType.EXT4, OURS), FilesystemType.EXT4))
                .isEqualTo(new Adopt(OURS));
        for (var found : new Signature[] {FOREIGN, known(FilesystemType.EXT4, OTHER)}) {
            assertThatThrownBy(() -> decideElsewhere(record, found, FilesystemType.EXT4))
                    .isInstanceOf(NotPossible.class)
                    .hasMessageContaining("may have been used elsewhere");
        }
    }

    @Test
    void aVolumeThatWasGivenOutRawIsFormattedOnlyIfAllOfItIsBlank() {
        assertThat(decide(usedAsBlock(NEVER), BLANK, FilesystemType.EXT4)).isEqualTo(new FormatIfAllBlank());
        assertThat(decide(usedAsBlock(NEVER), known(FilesystemType.EXT4, OTHER), FilesystemType.EXT4))
                .isEqualTo(new Adopt(OTHER));
        var present = usedAsBlock(record(State.PRESENT, FilesystemType.EXT4));
        assertThat(decide(present, known(FilesystemType.XFS, OTHER), FilesystemType.XFS))
                .isEqualTo(new Adopt(OTHER));
        assertThatThrownBy(() -> decide(present, BLANK, FilesystemType.EXT4)).isInstanceOf(NotPossible.class);
    }

    @Test
    void nothingIsPutOnAVolumeThatIsWantedForReading() {
        for (var record : new FilesystemRecord[] {NEVER, record(State.FORMATTING, FilesystemType.EXT4)}) {
            assertThatThrownBy(() ->
                            FormatDecision.of(new Situation(VOLUME, record, BLANK, FilesystemType.EXT4, true, false)))
                    .isInstanceOf(NotPossible.class)
                    .hasMessageContaining("read-only");
        }
    }
}
