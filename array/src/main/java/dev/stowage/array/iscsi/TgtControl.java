package dev.stowage.array.iscsi;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Speaks to a running tgtd through its control socket, as {@code tgtadm} does. A process for each command would take longer than the
 * command, and everybody on the machine could read its arguments, secrets among them.
 */
final class TgtControl {

    /** What a command is about, in the order of tgt's own numbers. */
    enum Mode {
        SYSTEM,
        TARGET,
        UNIT,
        PORTAL,
        DRIVER,
        SESSION,
        CONNECTION,
        ACCOUNT
    }

    /** What a command does, in the order of tgt's own numbers. */
    enum Operation {
        NEW,
        DELETE,
        SHOW,
        BIND,
        UNBIND,
        UPDATE
    }

    private static final int REQUEST_BYTES = 120;
    private static final int DRIVER_NAME_BYTES = 64;
    private static final int ANSWER_BYTES = 8;
    private static final int LARGEST_ANSWER = 64 << 20;

    private final Path socket;

    TgtControl(Path socket) {
        this.socket = socket;
    }

    /** A command. Numbers that do not matter to it are as tgtadm leaves them. */
    record Request(
            Mode mode,
            Operation operation,
            int target,
            long session,
            int connection,
            long unit,
            boolean own,
            String text) {

        static Request of(Mode mode, Operation operation) {
            return new Request(mode, operation, -1, 0, 0, 0, false, "");
        }

        Request target(int number) {
            return new Request(mode, operation, number, session, connection, unit, own, text);
        }

        Request unit(int number) {
            return new Request(mode, operation, target, session, connection, number, own, text);
        }

        Request connection(long inSession, int number) {
            return new Request(mode, operation, target, inSession, number, unit, own, text);
        }

        /** The target's own account instead of the initiator's. */
        Request asOwn() {
            return new Request(mode, operation, target, session, connection, unit, true, text);
        }

        Request text(String parameters) {
            return new Request(mode, operation, target, session, connection, unit, own, parameters);
        }

        /** Without the text, which may hold a secret. */
        @Override
        public String toString() {
            return "%s %s, target %d, unit %d".formatted(mode, operation, target, unit);
        }

        private ByteBuffer encoded() {
            // The text ends in a zero: tgtd reads it as a C string.
            byte[] bytes = text.isEmpty() ? new byte[0] : (text + "\0").getBytes(StandardCharsets.UTF_8);
            var buffer = ByteBuffer.allocate(REQUEST_BYTES + bytes.length).order(ByteOrder.nativeOrder());
            buffer.putInt(mode.ordinal()).putInt(operation.ordinal());
            buffer.put("iscsi".getBytes(StandardCharsets.US_ASCII)).position(8 + DRIVER_NAME_BYTES);
            buffer.putInt(buffer.capacity())
                    .putInt(target)
                    .putLong(session)
                    .putLong(unit)
                    .putInt(connection);
            buffer.putInt(0).putInt(0).putInt(own ? 1 : 0).putInt(0).putInt(0);
            return buffer.put(bytes).flip();
        }
    }

    /** What tgtd said: a number, zero for success, and a text. */
    record Answer(int code, String text) {}

    /**
     * Asks and waits for the answer.
     *
     * @throws IOException if nobody answers
     */
    Answer ask(Request request) throws IOException {
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            var encoded = request.encoded();
            while (encoded.hasRemaining()) {
                channel.write(encoded);
            }
            var head = read(channel, ANSWER_BYTES);
            int code = head.getInt();
            int length = head.getInt() - ANSWER_BYTES;
            if (length <= 0) {
                return new Answer(code, "");
            }
            if (length > LARGEST_ANSWER) {
                throw new IOException("tgtd announced an answer of " + length + " bytes");
            }
            var text = StandardCharsets.UTF_8.decode(read(channel, length)).toString();
            return new Answer(code, text.replace("\0", ""));
        }
    }

    private static ByteBuffer read(SocketChannel channel, int bytes) throws IOException {
        var buffer = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new EOFException("tgtd ended the conversation");
            }
        }
        return buffer.flip();
    }
}
