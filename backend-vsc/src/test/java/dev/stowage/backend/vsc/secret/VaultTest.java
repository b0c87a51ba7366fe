package dev.stowage.backend.vsc.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VaultTest {

    private static final String OLD = "abcdefghijklmnopqrstuvwxyz012345";
    private static final String NEW = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345";
    private static final String PLACE = "VPSA/east/token";
    private static final String TOKEN = "SUPER-SECRET-TOKEN-12345";

    @TempDir
    Path keys;

    private Vault vault;

    @BeforeEach
    void take() throws IOException {
        Files.writeString(keys.resolve("GLOBAL_ENCRYPTION_KEY"), OLD);
        vault = new Vault(keys);
    }

    @Test
    void whatWasEncryptedReadsAsItWas() {
        String stored = vault.encrypted(PLACE, TOKEN);

        assertThat(stored).startsWith("AES:").doesNotContain(TOKEN);
        assertThat(vault.isEncrypted(stored)).isTrue();
        assertThat(vault.isEncrypted(TOKEN)).isFalse();
        assertThat(vault.outdated(stored)).isFalse();
        assertThat(vault.reencrypted(PLACE, stored)).isEmpty();
        assertThat(new Vault(keys).plain(PLACE, stored)).isEqualTo(TOKEN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "pässwörd ☂", "\u0000"})
    void anyTextCanBeEncrypted(String text) {
        assertThat(vault.plain(PLACE, vault.encrypted(PLACE, text))).isEqualTo(text);
    }

    @Test
    void theSameSecretNeverLooksTheSame() {
        assertThat(vault.encrypted(PLACE, TOKEN)).isNotEqualTo(vault.encrypted(PLACE, TOKEN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"VPSA/west/token", "VPSA/east/CHAPSecret", "Volume/east/token", ""})
    void itCannotBeReadAtAnotherPlace(String elsewhere) {
        String stored = vault.encrypted(PLACE, TOKEN);
        assertThatThrownBy(() -> vault.plain(elsewhere, stored))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining("was encrypted for another object");
    }

    @Test
    void noBitCanBeChanged() {
        byte[] content =
                Base64.getDecoder().decode(vault.encrypted(PLACE, TOKEN).substring(4));
        for (int bit = 0; bit < content.length * Byte.SIZE; bit++) {
            byte[] changed = content.clone();
            changed[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            String stored = "AES:" + Base64.getEncoder().encodeToString(changed);
            assertThatThrownBy(() -> vault.plain(PLACE, stored)).isInstanceOf(StowageException.NotPossible.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"AES:", "AES:%%", "AES:AAAA", "plain", "AES:bm90IG91cnMsIGJ1dCBsb25nIGVub3VnaCB0byBiZSBvbmU="})
    void whatIsNotOursIsSaidToBeSo(String stored) {
        assertThatThrownBy(() -> vault.plain(PLACE, stored))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessage("VPSA/east/token was not encrypted by Stowage, or was cut off; write it again in plain");
        assertThat(vault.outdated(stored)).isFalse();
    }

    @Test
    void aKeyIsReplacedWithoutARestart() throws IOException {
        String stored = vault.encrypted(PLACE, TOKEN);

        Files.writeString(keys.resolve("PREVIOUS_KEY"), OLD);
        Files.writeString(keys.resolve("GLOBAL_ENCRYPTION_KEY"), NEW);
        assertThat(vault.outdated(stored)).isTrue();
        assertThat(vault.plain(PLACE, stored)).isEqualTo(TOKEN);
        String again = vault.reencrypted(PLACE, stored).orElseThrow();

        Files.delete(keys.resolve("PREVIOUS_KEY"));
        assertThat(vault.outdated(again)).isFalse();
        assertThat(vault.plain(PLACE, again)).isEqualTo(TOKEN);
        assertThat(vault.outdated(stored)).as("it cannot be helped any more").isFalse();
        assertThatThrownBy(() -> vault.plain(PLACE, stored))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining("was encrypted with key "
                        + VaultKey.of(OLD.getBytes(StandardCharsets.UTF_8)).id())
                .hasMessageContaining("(there: "
                        + VaultKey.of(NEW.getBytes(StandardCharsets.UTF_8)).id() + ")");
    }

    @Test
    void aSecretThatIsKnownIsComparedWithoutBeingReadByAnybody() throws IOException {
        String stored = vault.encrypted(PLACE, TOKEN);

        assertThat(vault.holds(PLACE, stored, TOKEN)).isTrue();
        assertThat(vault.holds(PLACE, stored, "another")).isFalse();
        assertThat(vault.holds("VPSA/west/token", stored, TOKEN)).isFalse();
        assertThat(vault.holds(PLACE, TOKEN, TOKEN)).isFalse();
        Files.writeString(keys.resolve("PREVIOUS_KEY"), OLD);
        Files.writeString(keys.resolve("GLOBAL_ENCRYPTION_KEY"), NEW);
        assertThat(vault.holds(PLACE, stored, TOKEN))
                .as("it is to be encrypted anew")
                .isFalse();
    }

    @Test
    void aMountedSecretIsReadAsOfOneMoment() throws IOException {
        Path mount = Files.createDirectory(keys.resolve("mount"));
        Path before = Files.createDirectory(mount.resolve("..2026_01"));
        Files.writeString(before.resolve("GLOBAL_ENCRYPTION_KEY"), OLD);
        Files.createSymbolicLink(mount.resolve("..data"), Path.of("..2026_01"));
        Files.createSymbolicLink(mount.resolve("GLOBAL_ENCRYPTION_KEY"), Path.of("..data/GLOBAL_ENCRYPTION_KEY"));
        var mounted = new Vault(mount);
        String stored = mounted.encrypted(PLACE, TOKEN);

        Path after = Files.createDirectory(mount.resolve("..2026_02"));
        Files.writeString(after.resolve("GLOBAL_ENCRYPTION_KEY"), NEW);
        Files.writeString(after.resolve("OLD"), OLD);
        Files.createSymbolicLink(mount.resolve("..data_tmp"), Path.of("..2026_02"));
        Files.move(mount.resolve("..data_tmp"), mount.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);

        assertThat(mounted.outdated(stored)).isTrue();
        assertThat(mounted.plain(PLACE, stored)).isEqualTo(TOKEN);
    }

    @Test
    void aKeyMayEndWithANewline() throws IOException {
        String stored = vault.encrypted(PLACE, TOKEN);
        Files.writeString(keys.resolve("GLOBAL_ENCRYPTION_KEY"), OLD + "\n");
        assertThat(vault.plain(PLACE, stored)).isEqualTo(TOKEN);
    }

    @Test
    void aKeyOfTheWrongLengthIsRefused() throws IOException {
        Files.writeString(keys.resolve("GLOBAL_ENCRYPTION_KEY"), "short");
        assertThatThrownBy(() -> vault.encrypted(PLACE, TOKEN))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining("GLOBAL_ENCRYPTION_KEY has 5 bytes, but has to have 32");
    }

    @Test
    void withoutAKeyNothingIsWritten() throws IOException {
        Files.delete(keys.resolve("GLOBAL_ENCRYPTION_KEY"));
        assertThatThrownBy(() -> vault.encrypted(PLACE, TOKEN))
                .isInstanceOf(StowageException.NotPossible.class)
                .hasMessageContaining("there is no file GLOBAL_ENCRYPTION_KEY in " + keys);
        assertThatThrownBy(() -> new Vault(keys.resolve("nowhere")).encrypted(PLACE, TOKEN))
                .isInstanceOf(StowageException.NotPossible.class);
    }
}
