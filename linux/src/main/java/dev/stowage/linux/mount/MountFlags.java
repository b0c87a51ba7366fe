package dev.stowage.linux.mount;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Mount options, parted into the kernel's flags and what the filesystem reads itself. */
record MountFlags(long bits, String data) {

    private static final Map<String, Long> FLAGS = Map.ofEntries(
            Map.entry("ro", 1L),
            Map.entry("nosuid", 2L),
            Map.entry("nodev", 4L),
            Map.entry("noexec", 8L),
            Map.entry("sync", 16L),
            Map.entry("mand", 64L),
            Map.entry("dirsync", 128L),
            Map.entry("noatime", 1024L),
            Map.entry("nodiratime", 2048L),
            Map.entry("relatime", 1L << 21),
            Map.entry("strictatime", 1L << 24),
            Map.entry("lazytime", 1L << 25),
            Map.entry("nosymfollow", 256L));

    /** The opposites, which take a flag away, and words that mean nothing to the kernel. */
    private static final Map<String, Long> CLEARED = Map.of(
            "rw",
            1L,
            "suid",
            2L,
            "dev",
            4L,
            "exec",
            8L,
            "async",
            16L,
            "atime",
            1024L,
            "diratime",
            2048L,
            "defaults",
            0L);

    static MountFlags parse(List<String> options) {
        long bits = 0;
        var data = new ArrayList<String>();
        for (String option : options) {
            Long set = FLAGS.get(option);
            Long clear = CLEARED.get(option);
            if (set != null) {
                bits |= set;
            } else if (clear != null) {
                bits &= ~clear;
            } else {
                data.add(option);
            }
        }
        return new MountFlags(bits, String.join(",", data));
    }
}
