package dev.stowage.node;

import dev.stowage.core.error.StowageException;
import dev.stowage.linux.filesystem.FilesystemType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The options of a mount, each of which is known to be harmless to the node.
 *
 * <p>They come from claims and even from pods, so what is not listed is refused: nothing that names a path or another device, changes
 * the kind of mount, or makes the kernel panic.
 */
record MountOptions(List<String> values, boolean readOnly) {

    /** What mount programs use for their own purposes and the kernel never sees. */
    private static final Set<String> IGNORED = Set.of("defaults", "nofail", "_netdev", "rw");

    /** A name ending in '=' takes a value. */
    private static final Set<String> ANY = words("""
            atime noatime relatime norelatime strictatime nostrictatime diratime nodiratime lazytime nolazytime
            suid nosuid dev nodev exec noexec sync async dirsync nosymfollow
            """);

    private static final Set<String> EXT4 = words("""
            acl noacl user_xattr nouser_xattr barrier nobarrier barrier= discard nodiscard delalloc nodelalloc dioread_lock
            dioread_nolock grpid nogrpid bsdgroups sysvgroups minixdf bsddf journal_checksum nojournal_checksum
            journal_async_commit auto_da_alloc noauto_da_alloc auto_da_alloc= block_validity noblock_validity quota noquota
            usrquota grpquota prjquota i_version nombcache no_mbcache init_itable init_itable= noinit_itable data= data_err=
            errors= commit= stripe= resuid= resgid= inode_readahead_blks= journal_ioprio= max_batch_time= min_batch_time=
            max_dir_size_kb= mb_optimize_scan= prefetch_block_bitmaps no_prefetch_block_bitmaps dax dax=
            """);

    private static final Set<String> XFS = words("""
            allocsize= attr2 noattr2 discard nodiscard grpid nogrpid bsdgroups sysvgroups filestreams ikeep noikeep inode32
            inode64 largeio nolargeio lifetime nolifetime logbufs= logbsize= max_atomic_write= noalign nouuid noquota quota uquota
            usrquota uqnoenforce qnoenforce gquota grpquota gqnoenforce pquota prjquota pqnoenforce sunit= swidth= swalloc wsync
            dax dax=
            """);

    private static final Set<String> BTRFS = words("""
            acl noacl autodefrag noautodefrag barrier nobarrier clear_cache commit= compress compress= compress-force
            compress-force= datacow nodatacow datasum nodatasum discard discard= nodiscard enospc_debug noenospc_debug
            flushoncommit noflushoncommit max_inline= metadata_ratio= nospace_cache space_cache space_cache= notreelog treelog
            rescan_uuid_tree skip_balance ssd nossd ssd_spread nossd_spread thread_pool= user_subvol_rm_allowed
            """);

    /** Neither another address than the export's, nor what a mount program would do before or after the mount. */
    private static final Set<String> NFS = words("""
            nfsvers= vers= hard soft softerr softreval nosoftreval timeo= retrans= rsize= wsize= ac noac actimeo=
            acregmin= acregmax= acdirmin= acdirmax= acl noacl cto nocto lookupcache= lock nolock local_lock= proto= port=
            nconnect= max_connect= trunkdiscovery notrunkdiscovery sharecache nosharecache resvport noresvport rdirplus
            nordirplus migration nomigration intr nointr fsc nofsc sec= xprtsec= write=
            """);

    private static final Pattern OPTION =
            Pattern.compile("(?<name>[a-z_][a-z0-9_-]{0,31}=?)(?<value>(?<==)[A-Za-z0-9_.:+-]{1,48})?");

    private static final int MOST = 48;

    MountOptions {
        values = List.copyOf(values);
    }

    /**
     * Reads options that are given as comma-separated texts. What comes later wins where the kernel lets it.
     *
     * @param readOnly whether the use is read-only anyway
     */
    static MountOptions parse(FilesystemType type, List<String> texts, boolean readOnly) {
        return parse(type.mountName(), texts, readOnly);
    }

    /** @param type the name of the filesystem, of ours or a server's */
    static MountOptions parse(String type, List<String> texts, boolean readOnly) {
        var given = new ArrayList<String>();
        for (String text : texts) {
            for (String option : text.split(",", -1)) {
                if (!option.isEmpty()) {
                    given.add(checked(type, option));
                }
            }
        }
        if (given.size() > MOST) {
            throw StowageException.invalid(
                    "%d mount options are more than the %d that are allowed", given.size(), MOST);
        }
        boolean mustNotWrite = readOnly || given.contains("ro");
        var values = new ArrayList<String>();
        given.stream()
                .filter(option -> !IGNORED.contains(option) && !option.equals("ro"))
                .forEach(values::add);
        addDefaults(type, values);
        if (mustNotWrite) {
            values.add("ro");
        }
        return new MountOptions(values, mustNotWrite);
    }

    private static void addDefaults(String type, List<String> values) {
        switch (type) {
            case "ext4" -> {
                if (values.stream().noneMatch(value -> value.startsWith("errors="))) {
                    values.add("errors=remount-ro");
                }
            }
            // A clone has its source's identity, and both may be mounted here.
            case "xfs" -> {
                if (!values.contains("nouuid")) {
                    values.add("nouuid");
                }
            }
            // A server that is away for a while must not show as an error in the middle of a file.
            case ExportWish.TYPE -> {
                if (values.stream().noneMatch(value -> value.startsWith("soft") && !value.equals("softreval"))) {
                    values.add("hard");
                }
            }
            default -> {}
        }
    }

    private static String checked(String type, String option) {
        var match = OPTION.matcher(option);
        if (!match.matches()) {
            throw refused(option, type, "it is not of the form name or name=value with plain characters");
        }
        String name = match.group("name");
        if (name.endsWith("=") && match.group("value") == null) {
            throw refused(option, type, "its value is missing");
        }
        if (IGNORED.contains(name) || name.equals("ro")) {
            return option;
        }
        if (!ANY.contains(name) && !known(type).contains(name)) {
            throw refused(option, type, "it is not one of the options that a volume may have");
        }
        if (option.equals("errors=panic")) {
            throw refused(option, type, "one volume's fault must not stop the whole node");
        }
        return option;
    }

    private static Set<String> known(String type) {
        return type.equals(ExportWish.TYPE)
                ? NFS
                : switch (FilesystemType.parse(type)) {
                    case EXT4 -> EXT4;
                    case XFS -> XFS;
                    case BTRFS -> BTRFS;
                };
    }

    private static StowageException refused(String option, String type, String reason) {
        return StowageException.invalid(
                "mount option %s is refused for %s: %s; correct the mount options of the class or the claim",
                Text.quoted(option), type, reason);
    }

    private static Set<String> words(String text) {
        return Set.of(text.strip().split("\\s+"));
    }
}
