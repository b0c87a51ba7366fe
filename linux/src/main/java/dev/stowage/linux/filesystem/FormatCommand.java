package dev.stowage.linux.filesystem;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The command line that makes a filesystem. A word that mkfs does not take for an option it takes for the device, so options are
 * let through from a list and not kept out by one.
 */
final class FormatCommand {
    private static final String EXT4_EXTENDED = "nodiscard,lazy_itable_init=1,lazy_journal_init=1";

    /** Parts of option values by which another device or file, or another identity, could be named. */
    private static final Set<String> REFUSED_PARTS =
            Set.of("device", "file", "name", "logdev", "rtdev", "uuid", "root_owner", "offset");

    private record Allowed(Set<String> flags, Set<String> withValue) {}

    private FormatCommand() {}

    static List<String> of(
            Path device, FilesystemType type, UUID uuid, List<String> extraOptions, @Nullable String label) {
        var options = checked(type, extraOptions);
        var command = new ArrayList<String>();
        switch (type) {
            case EXT4 -> {
                command.addAll(List.of("mkfs.ext4", "-F", "-q", "-U", uuid.toString()));
                command.addAll(withExtended(options));
            }
            case XFS -> {
                command.addAll(List.of("mkfs.xfs", "-f", "-q", "-K", "-m", "uuid=" + uuid));
                command.addAll(options);
            }
            case BTRFS -> {
                command.addAll(List.of("mkfs.btrfs", "-f", "-q", "-K", "-U", uuid.toString()));
                command.addAll(options);
            }
        }
        if (label != null) {
            command.add("-L");
            command.add(label);
        }
        command.add("--");
        command.add(device.toString());
        return command;
    }

    /** mkfs.ext4 heeds only the last -E it is given, so ours and the user's become one, the user's having the last word. */
    private static List<String> withExtended(List<String> options) {
        var result = new ArrayList<String>();
        var extended = new StringBuilder(EXT4_EXTENDED);
        for (int i = 0; i < options.size(); i++) {
            var option = options.get(i);
            if (option.equals("-E")) {
                extended.append(',').append(options.get(++i));
            } else if (option.startsWith("-E")) {
                extended.append(',').append(option.substring(2));
            } else {
                result.add(option);
            }
        }
        result.add("-E");
        result.add(extended.toString());
        return result;
    }

    private static List<String> checked(FilesystemType type, List<String> options) {
        var allowed = allowed(type);
        for (int i = 0; i < options.size(); i++) {
            var option = options.get(i);
            if (allowed.flags().contains(option)) {
                continue;
            }
            if (allowed.withValue().contains(option)) {
                if (++i == options.size()) {
                    throw refused(type, option, "it needs a value");
                }
                checkValue(type, option, options.get(i));
            } else {
                checkValue(type, option, attachedValue(allowed, type, option));
            }
        }
        return options;
    }

    /** The value of an option that is written in one word: -b4096, --nodesize=16384. */
    private static String attachedValue(Allowed allowed, FilesystemType type, String option) {
        if (option.startsWith("--") && option.contains("=")) {
            var split = option.indexOf('=');
            if (allowed.withValue().contains(option.substring(0, split))) {
                return option.substring(split + 1);
            }
        } else if (option.length() > 2 && allowed.withValue().contains(option.substring(0, 2))) {
            return option.substring(2);
        }
        throw refused(type, option, "it is not one of those that shape a filesystem");
    }

    private static void checkValue(FilesystemType type, String option, String value) {
        if (value.isEmpty() || value.startsWith("-")) {
            throw refused(type, option, "\"" + value + "\" is not a value");
        }
        if (value.contains("/") || value.chars().anyMatch(Character::isISOControl)) {
            throw refused(type, option, "its value must not name a path");
        }
        for (var part : value.split(",", -1)) {
            var name = part.contains("=") ? part.substring(0, part.indexOf('=')) : part;
            if (REFUSED_PARTS.contains(name)) {
                throw refused(type, option, "\"" + name + "\" is not for users to set");
            }
        }
    }

    private static IllegalArgumentException refused(FilesystemType type, String option, String why) {
        return new IllegalArgumentException(
                "the option \"%s\" for making %s is refused: %s".formatted(option, type.mountName(), why));
    }

    private static Allowed allowed(FilesystemType type) {
        return switch (type) {
            case EXT4 -> new Allowed(Set.of("-j"), words("-b -C -E -e -g -G -i -I -J -m -N -O -o -r -T"));
            case XFS -> new Allowed(Set.of(), words("-b -d -i -l -m -n -s"));
            case BTRFS ->
                new Allowed(
                        Set.of("-M", "--mixed"),
                        words(
                                "-m -d -n -s -O -R --metadata --data --nodesize --sectorsize --features --runtime-features"
                                        + " --csum --checksum"));
        };
    }

    private static Set<String> words(String list) {
        return Set.copyOf(Arrays.asList(list.split(" ", -1)));
    }
}
