package dev.stowage.linux.filesystem;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Recognises what the signature areas of a device hold. */
final class SignatureReader {
    private static final int MD_MAGIC = 0xA92B4EFC;
    private static final int SECTOR = 512;
    private static final int KIB = 1024;
    private static final int EXT = 1024;
    private static final int BTRFS = 64 * KIB;

    /** ext4 proper has at least one of: extents, 64-bit, flexible groups. */
    private static final int EXT4_FEATURES = 0x40 | 0x80 | 0x200;

    private static final int EXT_JOURNAL_DEVICE = 0x8;

    private static final byte[] BCACHE_MAGIC = HexFormat.of().parseHex("c68573f64e1a45ca8265f77f48ba6d81");

    private final SignatureAreas areas;

    SignatureReader(SignatureAreas areas) {
        this.areas = areas;
    }

    Signature read() {
        var nonZero = areas.firstNonZero();
        if (nonZero < 0) {
            return new Signature.Blank();
        }
        // What contains other things first: a member of an array can show the filesystem of the array at its beginning.
        var container = container();
        if (container != null) {
            return new Signature.Foreign(container);
        }
        var known = known();
        if (known != null) {
            return known;
        }
        var other = other();
        return new Signature.Foreign(other != null ? other : "unrecognised data at offset " + nonZero);
    }

    private Signature.@Nullable Known known() {
        if (areas.has(0, "XFSB")) {
            return new Signature.Known(FilesystemType.XFS, uuid(32), label(108, 12));
        }
        if (areas.has(BTRFS + 64, "_BHRfS_M")) {
            return new Signature.Known(FilesystemType.BTRFS, uuid(BTRFS + 32), label(BTRFS + 0x12B, 256));
        }
        if (ext() && (areas.littleEndian32(EXT + 96) & EXT4_FEATURES) != 0 && !extJournal()) {
            return new Signature.Known(FilesystemType.EXT4, uuid(EXT + 104), label(EXT + 120, 16));
        }
        return null;
    }

    private @Nullable String container() {
        if (areas.has(0, "LUKS\u00ba\u00be")
                || areas.has(0, "SKUL\u00ba\u00be")
                || areas.has(16 * KIB, "SKUL\u00ba\u00be")) {
            return "LUKS encryption";
        }
        for (int sector = 0; sector < 4; sector++) {
            if (areas.has((long) sector * SECTOR, "LABELONE")) {
                return "an LVM physical volume";
            }
        }
        if (raidMember()) {
            return "a member of a Linux software RAID array";
        }
        if (areas.has(3, "-FVE-FS-")) {
            return "BitLocker encryption";
        }
        if (areas.has(4096 + 24, BCACHE_MAGIC)) {
            return "a bcache device";
        }
        if (areas.has(512 + 4, "!Stra0tis") || areas.has(0, "!Stra0tis")) {
            return "a Stratis pool";
        }
        if (areas.has(0, "bluestore block device")) {
            return "a Ceph BlueStore device";
        }
        if (areas.has(0, "dmvdo001")) {
            return "a VDO device";
        }
        return null;
    }

    private @Nullable String other() {
        if (ext()) {
            return extJournal() ? "the journal of an ext4 filesystem" : "an ext2 or ext3 filesystem";
        }
        if (areas.has(64L * 1024 * KIB + 64, "_BHRfS_M")) {
            return "the remains of a btrfs filesystem (its second superblock)";
        }
        if (zfs()) {
            return "a ZFS pool member";
        }
        if (areas.has(4086, "SWAPSPACE2") || areas.has(4086, "SWAP-SPACE") || areas.has(65526, "SWAPSPACE2")) {
            return "swap space";
        }
        if (areas.has(3, "NTFS    ")) {
            return "an NTFS filesystem";
        }
        if (areas.has(3, "EXFAT   ")) {
            return "an exFAT filesystem";
        }
        if (areas.has(82, "FAT32   ") || areas.has(54, "FAT1")) {
            return "a FAT filesystem";
        }
        if (areas.has(32769, "CD001")) {
            return "an ISO 9660 image";
        }
        if (areas.has(32769, "BEA01") || areas.has(32769, "NSR0")) {
            return "a UDF filesystem";
        }
        if (areas.littleEndian32(1024) == 0xF2F52010) {
            return "an F2FS filesystem";
        }
        if (areas.littleEndian32(1024) == 0xE0F5E1E2) {
            return "an EROFS image";
        }
        if (areas.has(0, "hsqs")) {
            return "a SquashFS image";
        }
        if (areas.has(65588, "ReIsEr")) {
            return "a ReiserFS filesystem";
        }
        if (areas.has(32768, "JFS1")) {
            return "a JFS filesystem";
        }
        if (areas.bigEndian32(65536) == 0x01161970) {
            return "a GFS2 filesystem";
        }
        if (areas.has(32, "NXSB")) {
            return "an APFS container";
        }
        if (areas.has(1024, "H+") || areas.has(1024, "HX")) {
            return "an HFS+ filesystem";
        }
        return partitions();
    }

    private @Nullable String partitions() {
        if (areas.has(SECTOR, "EFI PART") || areas.has(4096, "EFI PART")) {
            return "a GPT partition table";
        }
        if (areas.has(areas.size() - SECTOR, "EFI PART") || areas.has(areas.size() - 4096, "EFI PART")) {
            return "the backup of a GPT partition table at the end";
        }
        if (areas.has(510, "U\u00aa")) {
            return "an MBR partition table or boot sector";
        }
        return null;
    }

    private boolean ext() {
        return areas.littleEndian16(EXT + 56) == 0xEF53;
    }

    private boolean extJournal() {
        return (areas.littleEndian32(EXT + 96) & EXT_JOURNAL_DEVICE) != 0;
    }

    /** Of version 1 superblocks, only one that says it lies where it was found: user data may contain copies of others. */
    private boolean raidMember() {
        var sectors = areas.size() / SECTOR;
        for (var place : new long[] {0, 8, (sectors - 16) & ~7L}) {
            if (areas.littleEndian32(place * SECTOR) == MD_MAGIC
                    && areas.littleEndian64(place * SECTOR + 128) == place) {
                return true;
            }
        }
        var version0 = (areas.size() & -(64L * KIB)) - 64L * KIB;
        return areas.littleEndian32(version0) == MD_MAGIC && areas.littleEndian32(version0 + 4) == 0;
    }

    /** Each of the four labels has a ring of uberblocks in its second half. */
    private boolean zfs() {
        var aligned = areas.size() & -(256L * KIB);
        for (var label : new long[] {0, 256L * KIB, aligned - 512L * KIB, aligned - 256L * KIB}) {
            for (long slot = label + 128L * KIB; slot < label + 256L * KIB; slot += KIB) {
                if (areas.littleEndian64(slot) == 0x00BAB10CL || areas.littleEndian64(slot) == 0x0CB1BA0000000000L) {
                    return true;
                }
            }
        }
        return false;
    }

    private UUID uuid(long position) {
        var content = ByteBuffer.wrap(areas.bytes(position, 16));
        return new UUID(content.getLong(), content.getLong());
    }

    private String label(long position, int length) {
        var text = new String(areas.bytes(position, length), StandardCharsets.UTF_8);
        var end = text.indexOf('\0');
        return end < 0 ? text : text.substring(0, end);
    }
}
