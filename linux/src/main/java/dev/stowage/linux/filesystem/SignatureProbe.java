package dev.stowage.linux.filesystem;

import dev.stowage.linux.SyscallException;
import dev.stowage.linux.internal.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/** Reads the places where filesystems, partition tables, volume managers and the like leave their marks. */
final class SignatureProbe {

    private static final boolean ARM = System.getProperty("os.arch", "").equals("aarch64");
    private static final int DIRECT = ARM ? 0x10000 : 0x4000;
    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final int SEEK_END = 2;
    private static final int ALIGNMENT = 4096;
    private static final int HEAD = (1 << 20) + (64 << 10);
    private static final int TAIL = 1 << 20;
    private static final long BTRFS_SECOND = 64L << 20;

    private record Mark(int offset, byte[] magic, String what) {}

    private static final Mark[] MARKS = {
        mark(0, "LUKS\u00ba\u00be", "LUKS encrypted data"),
        mark(512, "LABELONE", "an LVM physical volume"),
        mark(4086, "SWAPSPACE2", "swap space"),
        mark(512, "EFI PART", "a GPT partition table"),
        mark(4096, "EFI PART", "a GPT partition table"),
        mark(4096, "\u00fc\u004e\u002b\u00a9", "a member of an md array"),
        mark(0, "\u00fc\u004e\u002b\u00a9", "a member of an md array"),
        mark(54, "FAT", "a vfat filesystem"),
        mark(82, "FAT32", "a vfat filesystem"),
        mark(3, "NTFS", "an ntfs filesystem"),
        mark(3, "EXFAT", "an exfat filesystem"),
        mark(1024, "\u0010\u0020\u00f5\u00f2", "an f2fs filesystem"),
        mark(32769, "CD001", "an iso9660 filesystem"),
        mark(0, "hsqs", "a squashfs filesystem"),
        mark(0, "\u00e2\u00e1\u00f5\u00e0", "an erofs filesystem"),
        mark(510, "\u0055\u00aa", "a partition table or boot sector"),
    };

    private SignatureProbe() {}

    private static Mark mark(int offset, String magic, String what) {
        return new Mark(offset, magic.getBytes(StandardCharsets.ISO_8859_1), what);
    }

    static Signature of(Path device) {
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = Libc.open(arena.allocateFrom(device.toString()), DIRECT | CLOSE_ON_EXEC, 0);
            if (descriptor < 0) {
                throw new SyscallException("open for a direct read", device.toString(), -descriptor);
            }
            try {
                return read(arena, descriptor, device);
            } finally {
                Libc.close(descriptor);
            }
        }
    }

    private static Signature read(Arena arena, int descriptor, Path device) {
        long size = Libc.lseek(descriptor, 0, SEEK_END);
        if (size < 0) {
            throw new SyscallException("ask for the size of", device.toString(), (int) -size);
        }
        var head = read(arena, descriptor, device, 0, Math.min(HEAD, size));
        var known = known(head);
        if (known.isPresent()) {
            return known.get();
        }
        for (Mark mark : MARKS) {
            if (matches(head, mark)) {
                return new Signature.Foreign(mark.what());
            }
        }
        long data = firstData(head);
        if (data >= 0) {
            return new Signature.Foreign("unrecognised data at offset " + data);
        }
        if (size > BTRFS_SECOND + ALIGNMENT) {
            var second = read(arena, descriptor, device, BTRFS_SECOND, ALIGNMENT);
            if (firstData(second) >= 0) {
                return new Signature.Foreign("unrecognised data at offset " + BTRFS_SECOND);
            }
        }
        if (size > HEAD) {
            long from = Math.max(HEAD, size - TAIL) / ALIGNMENT * ALIGNMENT;
            var tail = read(arena, descriptor, device, from, size - from);
            data = firstData(tail);
            if (data >= 0) {
                return new Signature.Foreign("unrecognised data at offset " + (from + data)
                        + ", near the end, where arrays and backup partition tables are kept");
            }
        }
        return new Signature.Blank();
    }

    private static MemorySegment read(Arena arena, int descriptor, Path device, long offset, long length) {
        // The last read may have to ask for more than there is, because direct reads come in whole blocks.
        var buffer = arena.allocate(Math.ceilDiv(Math.max(1, length), ALIGNMENT) * ALIGNMENT, ALIGNMENT);
        long done = 0;
        while (done < length) {
            long got = Libc.pread(descriptor, buffer.asSlice(done), buffer.byteSize() - done, offset + done);
            if (got < 0) {
                throw new SyscallException("read", device + " at offset " + (offset + done), (int) -got);
            }
            if (got == 0) {
                throw new SyscallException("read", device + " at offset " + (offset + done) + ", which is short", 5);
            }
            done += got;
        }
        return buffer.asSlice(0, length);
    }

    private static Optional<Signature> known(MemorySegment head) {
        var bytes = head.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.limit() >= 2048 && bytes.getShort(1024 + 56) == (short) 0xEF53) {
            // ext2 and ext3 carry the same mark; what makes ext4 is one of the features extents, 64bit, flex_bg…
            int features = bytes.getInt(1024 + 96);
            boolean ext4 = (features & 0x2c0) != 0 || (bytes.getInt(1024 + 100) & 0x78) != 0;
            if (!ext4) {
                return Optional.of(new Signature.Foreign("an ext2 or ext3 filesystem"));
            }
            return Optional.of(
                    new Signature.Known(FilesystemType.EXT4, uuid(bytes, 1024 + 104), text(bytes, 1024 + 120, 16)));
        }
        if (bytes.limit() >= 512 && text(bytes, 0, 4).equals("XFSB")) {
            return Optional.of(new Signature.Known(FilesystemType.XFS, uuid(bytes, 32), text(bytes, 108, 12)));
        }
        if (bytes.limit() >= 65536 + 4096 && text(bytes, 65536 + 64, 8).equals("_BHRfS_M")) {
            return Optional.of(
                    new Signature.Known(FilesystemType.BTRFS, uuid(bytes, 65536 + 32), text(bytes, 65536 + 299, 256)));
        }
        return Optional.empty();
    }

    private static UUID uuid(ByteBuffer bytes, int offset) {
        var big = bytes.duplicate().order(ByteOrder.BIG_ENDIAN);
        return new UUID(big.getLong(offset), big.getLong(offset + 8));
    }

    private static String text(ByteBuffer bytes, int offset, int most) {
        byte[] text = new byte[most];
        bytes.get(offset, text);
        int end = 0;
        while (end < most && text[end] != 0) {
            end++;
        }
        return new String(text, 0, end, StandardCharsets.ISO_8859_1);
    }

    private static boolean matches(MemorySegment head, Mark mark) {
        if (mark.offset() + mark.magic().length > head.byteSize()) {
            return false;
        }
        for (int i = 0; i < mark.magic().length; i++) {
            if (head.get(ValueLayout.JAVA_BYTE, mark.offset() + i) != mark.magic()[i]) {
                return false;
            }
        }
        return true;
    }

    private static long firstData(MemorySegment segment) {
        long words = segment.byteSize() / 8;
        for (long i = 0; i < words; i++) {
            if (segment.get(ValueLayout.JAVA_LONG_UNALIGNED, i * 8) != 0) {
                return i * 8;
            }
        }
        for (long i = words * 8; i < segment.byteSize(); i++) {
            if (segment.get(ValueLayout.JAVA_BYTE, i) != 0) {
                return i;
            }
        }
        return -1;
    }
}
