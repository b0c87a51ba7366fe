package dev.stowage.node;

import dev.stowage.core.error.StowageException;
import dev.stowage.linux.filesystem.FilesystemType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The options for making a filesystem that a class may set: its layout, and nothing that reads or writes anything but the volume's own
 * device, or that we decide ourselves, such as its UUID.
 */
final class MkfsOptions {

    /** What may follow an option. */
    private sealed interface Argument {
        record None() implements Argument {}

        record Matching(Pattern pattern) implements Argument {}

        /** Comma-separated settings, each {@code key} or {@code key=value}. */
        record Settings(Set<String> keys) implements Argument {}
    }

    private static final Argument NONE = new Argument.None();
    private static final Argument SIZE = matching("[0-9]{1,15}[kKmMgGtTsb]?");
    private static final Argument NUMBER = matching("-?[0-9]{1,15}(\\.[0-9]{1,6})?");
    private static final Argument FEATURES = matching("\\^?[a-z0-9_-]{1,32}(,\\^?[a-z0-9_-]{1,32}){0,31}");
    private static final Argument PROFILE = matching("single|dup|SINGLE|DUP");
    private static final Argument WORD = matching("[a-z0-9]{1,16}");
    private static final Pattern VALUE = Pattern.compile("[A-Za-z0-9_.:-]{1,64}");

    /** Features that make of the device something else than a filesystem. */
    private static final Set<String> REFUSED_FEATURES = Set.of("journal_dev");

    private static final Map<String, Argument> EXT4 = Map.ofEntries(
            Map.entry("-b", NUMBER),
            Map.entry("-C", SIZE),
            Map.entry("-E", settings("""
                    discard nodiscard lazy_itable_init lazy_journal_init mmp_update_interval num_backup_sb packed_meta_blocks
                    quotatype resize stride stripe_width stripe-width hash_seed orphan_file_size
                    """)),
            Map.entry("-g", NUMBER),
            Map.entry("-G", NUMBER),
            Map.entry("-i", NUMBER),
            Map.entry("-I", NUMBER),
            Map.entry("-j", NONE),
            Map.entry("-J", settings("size fast_commit_size")),
            Map.entry("-m", NUMBER),
            Map.entry("-N", NUMBER),
            Map.entry("-O", FEATURES),
            Map.entry("-T", WORD));

    private static final Map<String, Argument> XFS = Map.ofEntries(
            Map.entry("-b", settings("size log")),
            Map.entry(
                    "-d",
                    settings(
                            "agcount agsize su sw sunit swidth noalign rtinherit projinherit extszinherit cowextsize")),
            Map.entry("-i", settings("size perblock maxpct align attr projid32bit sparse nrext64 exchange")),
            Map.entry("-l", settings("size agnum version sunit su lazy-count")),
            Map.entry("-m", settings("crc finobt inobtcount rmapbt reflink bigtime metadir autofsck")),
            Map.entry("-n", settings("size version ftype parent")),
            Map.entry("-s", settings("size")));

    private static final Map<String, Argument> BTRFS = Map.ofEntries(
            Map.entry("-n", SIZE),
            Map.entry("--nodesize", SIZE),
            Map.entry("-s", SIZE),
            Map.entry("--sectorsize", SIZE),
            Map.entry("-m", PROFILE),
            Map.entry("--metadata", PROFILE),
            Map.entry("-d", PROFILE),
            Map.entry("--data", PROFILE),
            Map.entry("-O", FEATURES),
            Map.entry("--features", FEATURES),
            Map.entry("--csum", WORD),
            Map.entry("--checksum", WORD),
            Map.entry("-M", NONE),
            Map.entry("--mixed", NONE));

    private static final int MOST_CHARACTERS = 1024;

    private MkfsOptions() {}

    /** Reads options as they would stand on a command line, without any quoting. */
    static List<String> parse(FilesystemType type, String text) {
        if (text.isBlank()) {
            return List.of();
        }
        if (text.length() > MOST_CHARACTERS) {
            throw refused(type, text, "they are too long");
        }
        if (text.chars().anyMatch(c -> c < 0x20 || c > 0x7e)) {
            throw refused(type, text, "they hold something else than plain characters");
        }
        var known = known(type);
        var words = List.of(text.strip().split(" +"));
        var result = new ArrayList<String>();
        for (int i = 0; i < words.size(); i++) {
            var word = words.get(i);
            var option = optionOf(word);
            var argument = known.get(option);
            if (argument == null) {
                throw refused(type, word, "it is not one of the options that a class may set");
            }
            result.add(option);
            if (argument instanceof Argument.None) {
                if (!word.equals(option)) {
                    throw refused(type, word, option + " takes no value");
                }
                continue;
            }
            String value = attachedValue(word, option);
            if (value.isEmpty()) {
                if (i + 1 == words.size()) {
                    throw refused(type, word, "its value is missing");
                }
                value = words.get(++i);
            }
            check(type, option, value, argument);
            result.add(value);
        }
        return List.copyOf(result);
    }

    private static String optionOf(String word) {
        if (word.startsWith("--")) {
            int equals = word.indexOf('=');
            return equals < 0 ? word : word.substring(0, equals);
        }
        return word.length() > 2 ? word.substring(0, 2) : word;
    }

    private static String attachedValue(String word, String option) {
        String rest = word.substring(option.length());
        return option.startsWith("--") && rest.startsWith("=") ? rest.substring(1) : rest;
    }

    private static void check(FilesystemType type, String option, String value, Argument argument) {
        switch (argument) {
            case Argument.None() -> {}
            case Argument.Matching(Pattern pattern) -> {
                if (!pattern.matcher(value).matches()
                        || Arrays.stream(value.split(",")).anyMatch(REFUSED_FEATURES::contains)) {
                    throw refused(type, option + " " + value, "the value is not one that it may have");
                }
            }
            case Argument.Settings(Set<String> keys) -> {
                for (String setting : value.split(",", -1)) {
                    int equals = setting.indexOf('=');
                    String key = equals < 0 ? setting : setting.substring(0, equals);
                    boolean plain = equals < 0
                            || VALUE.matcher(setting.substring(equals + 1)).matches();
                    if (!keys.contains(key) || !plain) {
                        throw refused(
                                type, option + " " + setting, "it is not one of the settings that a class may make");
                    }
                }
            }
        }
    }

    private static Map<String, Argument> known(FilesystemType type) {
        return switch (type) {
            case EXT4 -> EXT4;
            case XFS -> XFS;
            case BTRFS -> BTRFS;
        };
    }

    private static StowageException refused(FilesystemType type, String option, String reason) {
        return StowageException.invalid(
                "mkfsOptions for %s: %s is refused: %s", type.mountName(), Text.quoted(option), reason);
    }

    private static Argument matching(String pattern) {
        return new Argument.Matching(Pattern.compile(pattern));
    }

    private static Argument settings(String keys) {
        return new Argument.Settings(Set.of(keys.strip().split("\\s+")));
    }
}
