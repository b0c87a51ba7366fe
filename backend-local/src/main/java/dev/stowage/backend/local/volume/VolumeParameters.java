package dev.stowage.backend.local.volume;

import dev.stowage.core.error.StowageException;
import dev.stowage.core.volume.Sizes;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.linux.filesystem.FilesystemType;
import dev.stowage.node.FilesystemOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The parameters of a volume, checked.
 *
 * <p>Keys with a slash belong to others ({@code csi.storage.k8s.io/pvc/name} and the like) and are left alone. Any other key must be
 * known: a misspelt parameter is an error, not a silent default.
 */
public record VolumeParameters(Map<String, String> fixed, Map<String, String> mutable) {

    public static final String PROVISIONING = "provisioning";
    public static final String READ_AHEAD = "readAheadKiB";
    public static final String FILESYSTEM = "fsType";
    public static final String MKFS_OPTIONS = "mkfsOptions";
    public static final String MOUNT_OPTIONS = "mountOptions";

    /** A field of the snapshot classes, which Kubernetes acts upon itself. Its own tests give it as a parameter, too. */
    private static final String DELETION_POLICY = "deletionPolicy";

    private static final Set<String> FIXED = Set.of(FILESYSTEM, MKFS_OPTIONS, MOUNT_OPTIONS);
    private static final Set<String> MUTABLE = Set.of(PROVISIONING, READ_AHEAD);
    private static final int LARGEST_READ_AHEAD = 1 << 16;

    /** Reads a storage class's parameters and a volume attributes class's; the latter win. */
    public static VolumeParameters parse(Map<String, String> parameters, Map<String, String> mutableParameters) {
        var fixed = new TreeMap<String, String>();
        var mutable = new TreeMap<String, String>();
        own(parameters).forEach((key, value) -> {
            if (FIXED.contains(key)) {
                fixed.put(key, value);
            } else if (MUTABLE.contains(key)) {
                mutable.put(key, value);
            } else {
                throw unknown("parameter", key, all());
            }
        });
        mutable.putAll(parseMutable(mutableParameters));
        checkMutable(mutable);
        if (fixed.containsKey(FILESYSTEM)) {
            filesystem(fixed.get(FILESYSTEM));
        }
        return new VolumeParameters(Map.copyOf(fixed), Map.copyOf(mutable));
    }

    public static Map<String, String> parseMutable(Map<String, String> mutableParameters) {
        var mutable = own(mutableParameters);
        for (String key : mutable.keySet()) {
            if (!MUTABLE.contains(key)) {
                throw unknown("mutable parameter", key, MUTABLE);
            }
        }
        checkMutable(mutable);
        return Map.copyOf(mutable);
    }

    /** Snapshots and the like take no parameters of ours. */
    public static void requireNone(String what, Map<String, String> parameters) {
        var unknown = own(parameters).keySet().stream().filter(key -> !key.equals(DELETION_POLICY));
        unknown.findFirst().ifPresent(key -> {
            throw StowageException.invalid(
                    "%s takes no parameter '%s'; the local backend knows none for it", what, printable(key));
        });
    }

    private static void checkMutable(Map<String, String> mutable) {
        String provisioning = mutable.getOrDefault(PROVISIONING, "thin");
        if (!provisioning.equals("thin") && !provisioning.equals("thick")) {
            throw StowageException.invalid(
                    "parameter %s: expected 'thin' or 'thick', not '%s'", PROVISIONING, printable(provisioning));
        }
        readAhead(mutable);
    }

    /** The wanted read-ahead, or -1 for the kernel's own choice. */
    public static int readAhead(Map<String, String> parameters) {
        String value = parameters.get(READ_AHEAD);
        if (value == null) {
            return -1;
        }
        if (!value.matches("[0-9]{1,5}") || Integer.parseInt(value) > LARGEST_READ_AHEAD) {
            throw StowageException.invalid(
                    "parameter %s: expected a number of KiB from 0 to %d, not '%s'",
                    READ_AHEAD, LARGEST_READ_AHEAD, printable(value));
        }
        return Integer.parseInt(value);
    }

    public static FilesystemType filesystem(String name) {
        for (FilesystemType type : FilesystemType.values()) {
            if (type.mountName().equals(name)) {
                return type;
            }
        }
        throw StowageException.invalid("filesystem '%s' is not supported; use ext4, xfs or btrfs", printable(name));
    }

    public boolean thick() {
        return thick(mutable);
    }

    public static boolean thick(Map<String, String> mutable) {
        return "thick".equals(mutable.get(PROVISIONING));
    }

    /** The smallest size on which the filesystem of these parameters can be made. */
    public long smallestSize() {
        return smallest(filesystem(fixed.getOrDefault(FILESYSTEM, "ext4")));
    }

    /** The smallest size on which every filesystem that may be asked for can be made. */
    public long smallestSize(Collection<VolumeUse> uses) {
        long smallest = Sizes.MIB;
        for (VolumeUse use : uses) {
            if (use.access() instanceof VolumeUse.Mount mount) {
                String name =
                        mount.filesystem().isEmpty() ? fixed.getOrDefault(FILESYSTEM, "ext4") : mount.filesystem();
                smallest = Math.max(smallest, smallest(filesystem(name)));
            }
        }
        return smallest;
    }

    private static long smallest(FilesystemType type) {
        return switch (type) {
            case EXT4 -> 4 * Sizes.MIB;
            case XFS -> 300 * Sizes.MIB;
            case BTRFS -> 128 * Sizes.MIB;
        };
    }

    /**
     * What a node has to know for good; it travels with the volume and is readable by everybody. What can change is not in it.
     *
     * @param inherited the context of what the volume is a copy of
     */
    public Map<String, String> context(Collection<VolumeUse> uses, long size, Map<String, String> inherited) {
        var context = new HashMap<>(fixed);
        boolean open = uses.stream()
                .anyMatch(use -> use.access() instanceof VolumeUse.Mount mount
                        && mount.filesystem().isEmpty());
        if (open && !context.containsKey(FILESYSTEM)) {
            // xfs grows while in use with no more than mount rights, and freezes and shares well; it cannot be small.
            String chosen = size < smallest(FilesystemType.XFS) ? "ext4" : "xfs";
            context.put(FILESYSTEM, inherited.getOrDefault(FILESYSTEM, chosen));
        }
        requireOptions(uses, context);
        return context;
    }

    private static void requireOptions(Collection<VolumeUse> uses, Map<String, String> context) {
        for (VolumeUse use : uses) {
            if (use.access() instanceof VolumeUse.Mount mount) {
                String name =
                        mount.filesystem().isEmpty() ? context.getOrDefault(FILESYSTEM, "ext4") : mount.filesystem();
                var options = new ArrayList<>(mount.mountFlags());
                options.add(context.getOrDefault(MOUNT_OPTIONS, ""));
                FilesystemOptions.require(filesystem(name), context.getOrDefault(MKFS_OPTIONS, ""), options);
            }
        }
    }

    /** What a node has to know as it is at the time of attaching. */
    public static Map<String, String> attachmentContext(Map<String, String> mutable) {
        var context = new HashMap<>(mutable);
        context.remove(PROVISIONING);
        return context;
    }

    private static Map<String, String> own(Map<String, String> parameters) {
        var own = new TreeMap<String, String>();
        parameters.forEach((key, value) -> {
            if (!key.contains("/")) {
                own.put(key, value);
            }
        });
        return own;
    }

    private static Set<String> all() {
        var all = new TreeSet<>(FIXED);
        all.addAll(MUTABLE);
        return all;
    }

    private static StowageException unknown(String what, String key, Set<String> known) {
        return StowageException.invalid(
                "%s '%s' is not known; known are %s", what, printable(key), new TreeSet<>(known));
    }

    private static String printable(String value) {
        String shown = value.length() > 40 ? value.substring(0, 40) + "…" : value;
        return shown.replaceAll("[^\\x20-\\x7e…]", "?");
    }
}
