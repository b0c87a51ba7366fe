package dev.stowage.linux.scsi;

import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.internal.Descriptor;
import dev.stowage.linux.internal.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Asks a SCSI device itself who it is. What the kernel shows in sysfs is what the device told when it was found, and another may have
 * taken its place since.
 */
public final class Inquiry {

    private static final long SG_IO = 0x2285;
    private static final int HEADER_BYTES = 88;
    private static final int FROM_DEVICE = -3;
    private static final int ANSWER_BYTES = 252;
    private static final int SENSE_BYTES = 64;
    private static final int COMMAND_BYTES = 6;
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int STATUS = 64;
    private static final int HOST_STATUS = 68;
    private static final int DRIVER_STATUS = 70;
    private static final byte INQUIRY = 0x12;
    private static final byte VITAL = 1;
    private static final byte SERIAL_PAGE = (byte) 0x80;
    private static final int PAGE_HEADER = 4;

    private Inquiry() {}

    /** The unit's serial number, asked for now. */
    public static String serial(Path device) {
        try (var opened = Descriptor.open(device, Libc.O_RDONLY | Libc.O_NONBLOCK);
                var arena = Arena.ofConfined()) {
            var command = arena.allocateFrom(
                    ValueLayout.JAVA_BYTE, INQUIRY, VITAL, SERIAL_PAGE, (byte) 0, (byte) ANSWER_BYTES, (byte) 0);
            var answer = arena.allocate(ANSWER_BYTES);
            var sense = arena.allocate(SENSE_BYTES);
            var header = arena.allocate(HEADER_BYTES, 8);
            header.set(ValueLayout.JAVA_INT, 0, 'S');
            header.set(ValueLayout.JAVA_INT, 4, FROM_DEVICE);
            header.set(ValueLayout.JAVA_BYTE, 8, (byte) COMMAND_BYTES);
            header.set(ValueLayout.JAVA_BYTE, 9, (byte) SENSE_BYTES);
            header.set(ValueLayout.JAVA_INT, 12, ANSWER_BYTES);
            header.set(ValueLayout.JAVA_LONG, 16, answer.address());
            header.set(ValueLayout.JAVA_LONG, 24, command.address());
            header.set(ValueLayout.JAVA_LONG, 32, sense.address());
            header.set(ValueLayout.JAVA_INT, 40, TIMEOUT_MILLIS);
            Libc.check(Libc.ioctl(opened.number(), SG_IO, header.address()), "ask for its serial number", device);
            boolean refused = header.get(ValueLayout.JAVA_BYTE, STATUS) != 0
                    || header.get(ValueLayout.JAVA_SHORT, HOST_STATUS) != 0
                    || header.get(ValueLayout.JAVA_SHORT, DRIVER_STATUS) != 0;
            if (refused) {
                throw new SyscallException("ask for its serial number", device.toString(), Errno.EIO.number());
            }
            return text(answer.toArray(ValueLayout.JAVA_BYTE));
        }
    }

    /** The serial number in a page that a device told. */
    static String text(byte[] page) {
        int length = Math.min(Byte.toUnsignedInt(page[3]), page.length - PAGE_HEADER);
        return new String(page, PAGE_HEADER, length, StandardCharsets.ISO_8859_1)
                .replace("\0", "")
                .strip();
    }
}
