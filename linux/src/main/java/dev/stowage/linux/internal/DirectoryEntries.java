package dev.stowage.linux.internal;

import dev.stowage.linux.SyscallException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Reads a directory straight from the kernel, without an object for each entry. */
public final class DirectoryEntries implements AutoCloseable {

    private static final int BUFFER = 64 * 1024;
    private static final int NAME = 19;
    private static final int TYPE = 18;
    private static final int DIRECTORY = 4;
    private static final int UNKNOWN = 0;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment buffer = arena.allocate(BUFFER, 8);
    private final int descriptor;
    private final String subject;
    private long filled;
    private long position;
    private long current;

    public DirectoryEntries(int descriptor, String subject) {
        this.descriptor = descriptor;
        this.subject = subject;
    }

    /** Goes to the next entry other than the directory itself and its parent. */
    public boolean next() {
        while (true) {
            if (position >= filled) {
                long got = Libc.getdents64(descriptor, buffer);
                if (got < 0) {
                    throw new SyscallException("read directory", subject, (int) -got);
                }
                if (got == 0) {
                    return false;
                }
                filled = got;
                position = 0;
            }
            current = position;
            position += Short.toUnsignedInt(buffer.get(ValueLayout.JAVA_SHORT_UNALIGNED, current + 16));
            if (!dots()) {
                return true;
            }
        }
    }

    private boolean dots() {
        byte first = buffer.get(ValueLayout.JAVA_BYTE, current + NAME);
        byte second = buffer.get(ValueLayout.JAVA_BYTE, current + NAME + 1);
        return first == '.'
                && (second == 0 || (second == '.' && buffer.get(ValueLayout.JAVA_BYTE, current + NAME + 2) == 0));
    }

    public String name() {
        return buffer.getString(current + NAME);
    }

    /** The name where it lies, ended by a zero byte; valid until the next entry. */
    public MemorySegment nativeName() {
        return buffer.asSlice(current + NAME);
    }

    /** Whether the entry is, or may be, a directory. */
    public boolean maybeDirectory() {
        int type = buffer.get(ValueLayout.JAVA_BYTE, current + TYPE);
        return type == DIRECTORY || type == UNKNOWN;
    }

    @Override
    public void close() {
        arena.close();
    }
}
