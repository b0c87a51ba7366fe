package dev.stowage.backend.vsc.secret;

import dev.stowage.core.error.StowageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The keys of a directory, each in a file: the one named {@value #FIRST} encrypts, all others only decrypt what was encrypted before.
 */
record KeyRing(VaultKey first, List<VaultKey> all) {

    static final String FIRST = "GLOBAL_ENCRYPTION_KEY";

    /** The kubelet puts the files of a mounted Secret here, and replaces all of them at once by turning this link. */
    private static final String MOUNTED = "..data";

    static KeyRing read(Path directory) {
        try {
            Path link = directory.resolve(MOUNTED);
            // Looked through once, so that all keys are of the same moment.
            Path files = Files.exists(link, LinkOption.NOFOLLOW_LINKS) ? link.toRealPath() : directory;
            Path first = files.resolve(FIRST);
            if (!Files.isRegularFile(first)) {
                throw StowageException.notPossible(
                        "there is no file %s in %s, so that tokens and CHAP secrets can be neither encrypted nor read;"
                                + " mount the Secret with the encryption key there",
                        FIRST, directory);
            }
            var encrypting = key(first);
            try (var others = Files.list(files)) {
                return new KeyRing(
                        encrypting,
                        Stream.concat(
                                        Stream.of(encrypting),
                                        others.filter(file -> !file.equals(first) && isKey(file))
                                                .sorted()
                                                .map(KeyRing::key))
                                .toList());
            }
        } catch (IOException failed) {
            throw StowageException.unavailable(failed, "cannot read the encryption keys in %s: %s", directory, failed);
        }
    }

    Optional<VaultKey> find(String id) {
        return all.stream().filter(key -> key.id().equals(id)).findFirst();
    }

    private static boolean isKey(Path file) {
        return !file.getFileName().toString().startsWith(".") && Files.isRegularFile(file);
    }

    private static VaultKey key(Path file) {
        byte[] content;
        try {
            content = Files.readAllBytes(file);
        } catch (IOException failed) {
            throw StowageException.unavailable(failed, "cannot read the encryption key %s: %s", file, failed);
        }
        // Editors and echo end a file with a newline, which is not meant.
        byte[] key = content.length == Cryptography.KEY_BYTES + 1 && content[Cryptography.KEY_BYTES] == '\n'
                ? Arrays.copyOf(content, Cryptography.KEY_BYTES)
                : content;
        if (key.length != Cryptography.KEY_BYTES) {
            throw StowageException.notPossible(
                    "the encryption key %s has %d bytes, but has to have %d", file, key.length, Cryptography.KEY_BYTES);
        }
        return VaultKey.of(key);
    }
}
