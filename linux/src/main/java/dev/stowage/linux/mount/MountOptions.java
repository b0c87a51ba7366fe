package dev.stowage.linux.mount;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Mount options as users write them, parted into what the kernel takes as flags and what it hands to the filesystem. */
record MountOptions(long flags, String data) {
    static final long READ_ONLY = 1;
    static final long NO_SUID = 2;
    static final long NO_DEV = 4;
    static final long NO_EXEC = 8;
    static final long REMOUNT = 32;
    static final long NO_ATIME = 1024;
    static final long NO_DIRATIME = 2048;
    static final long BIND = 4096;
    static final long RELATIME = 1 << 21;

    /** mount(2) takes one page and cuts off what is beyond it without a word. */
    private static final int DATA_LIMIT = 4095;

    private static final Map<String, Long> SET = Map.ofEntries(
            Map.entry("ro", READ_ONLY),
            Map.entry("nosuid", NO_SUID),
            Map.entry("nodev", NO_DEV),
            Map.entry("noexec", NO_EXEC),
            Map.entry("sync", 16L),
            Map.entry("mand", 64L),
            Map.entry("dirsync", 128L),
            Map.entry("nosymfollow", 256L),
            Map.entry("noatime", NO_ATIME),
            Map.entry("nodiratime", NO_DIRATIME),
            Map.entry("silent", 1L << 15),
            Map.entry("relatime", RELATIME),
            Map.entry("iversion", 1L << 23),
            Map.entry("strictatime", 1L << 24),
            Map.entry("lazytime", 1L << 25));

    private static final Map<String, Long> CLEAR = Map.ofEntries(
            Map.entry("rw", READ_ONLY),
            Map.entry("suid", NO_SUID),
            Map.entry("dev", NO_DEV),
            Map.entry("exec", NO_EXEC),
            Map.entry("async", 16L),
            Map.entry("nomand", 64L),
            Map.entry("symfollow", 256L),
            Map.entry("atime", NO_ATIME),
            Map.entry("diratime", NO_DIRATIME),
            Map.entry("loud", 1L << 15),
            Map.entry("norelatime", RELATIME),
            Map.entry("noiversion", 1L << 23),
            Map.entry("nostrictatime", 1L << 24),
            Map.entry("nolazytime", 1L << 25));

    /** Words for mount(8) and fstab that mean nothing to the kernel. */
    private static final Set<String> IGNORED = Set.of(
            "defaults", "auto", "noauto", "user", "nouser", "users", "nousers", "group", "owner", "_netdev", "nofail");

    /** Words that would make it another operation altogether. */
    private static final Set<String> REFUSED = Set.of(
            "remount",
            "bind",
            "rbind",
            "move",
            "loop",
            "offset",
            "sizelimit",
            "shared",
            "rshared",
            "private",
            "rprivate",
            "slave",
            "rslave",
            "unbindable",
            "runbindable");

    static MountOptions parse(List<String> options) {
        long flags = 0;
        var data = new ArrayList<String>();
        for (var option : options.stream().flatMap(list -> split(list).stream()).toList()) {
            var name = option.contains("=") ? option.substring(0, option.indexOf('=')) : option;
            if (REFUSED.contains(name)) {
                throw new IllegalArgumentException("the mount option \"" + option + "\" is not one of a new mount");
            }
            if (IGNORED.contains(option) || name.startsWith("x-") || name.equals("comment")) {
                continue;
            }
            var set = SET.get(option);
            var clear = CLEAR.get(option);
            if (set != null) {
                flags |= set;
            } else if (clear != null) {
                flags &= ~clear;
            } else {
                data.add(option);
            }
        }
        var joined = String.join(",", data);
        if (joined.length() > DATA_LIMIT) {
            throw new IllegalArgumentException("the mount options are longer than " + DATA_LIMIT + " characters");
        }
        return new MountOptions(flags, joined);
    }

    /** Splits at commas, but not within quotes, where a security label has them. */
    private static List<String> split(String options) {
        var parts = new ArrayList<String>();
        var part = new StringBuilder();
        var quoted = false;
        for (int i = 0; i < options.length(); i++) {
            var character = options.charAt(i);
            quoted ^= character == '"';
            if (character == ',' && !quoted) {
                parts.add(part.toString());
                part.setLength(0);
            } else {
                part.append(character);
            }
        }
        parts.add(part.toString());
        parts.removeIf(String::isBlank);
        return parts;
    }
}
