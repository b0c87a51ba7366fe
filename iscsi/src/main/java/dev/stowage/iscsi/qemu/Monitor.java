package dev.stowage.iscsi.qemu;

import dev.stowage.core.error.StowageException;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;

/** A conversation with a storage daemon. There can be one at a time. What it says is read line by line, as it writes it. */
final class Monitor implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Pattern SIZE = Pattern.compile("\"virtual-size\": ?([0-9]{1,18})");
    private static final Pattern REASON = Pattern.compile("\"desc\": ?\"([^\"]*)\"");

    private final SocketChannel channel;
    private final TimeLimit limit;
    private final BufferedReader answers;

    Monitor(Path socket) {
        try {
            channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            limit = new TimeLimit(channel, PATIENCE);
            channel.connect(UnixDomainSocketAddress.of(socket));
            answers =
                    new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8));
            execute("{\"execute\": \"qmp_capabilities\"}");
        } catch (IOException failure) {
            throw silent(failure);
        }
    }

    /** Makes the daemon ask the target how large the unit is. It never shrinks or enlarges anything. */
    void refreshSize(String node, long bytes) {
        execute("{\"execute\": \"block_resize\", \"arguments\": {\"node-name\": \"%s\", \"size\": %d}}"
                .formatted(node, bytes));
    }

    /** In bytes, as the daemon knows it. The daemon has one node only. */
    long size() {
        var answer = execute("{\"execute\": \"query-named-block-nodes\", \"arguments\": {\"flat\": true}}");
        var size = SIZE.matcher(answer);
        if (!size.find()) {
            throw StowageException.internal("the storage daemon does not say how large its unit is: %s", answer);
        }
        return Long.parseLong(size.group(1));
    }

    private String execute(String command) {
        try {
            var bytes = ByteBuffer.wrap((command + "\n").getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            while (true) {
                var line = answers.readLine();
                if (line == null) {
                    throw new EOFException("it ended the conversation");
                }
                if (line.startsWith("{\"return\"")) {
                    return line;
                }
                if (line.startsWith("{\"error\"")) {
                    var reason = REASON.matcher(line);
                    throw StowageException.unavailable(
                            "the storage daemon refused a command: %s", reason.find() ? reason.group(1) : line);
                }
                // A greeting or an event.
            }
        } catch (IOException failure) {
            throw silent(failure);
        }
    }

    private static StowageException silent(IOException failure) {
        return StowageException.unavailable(
                failure,
                "the storage daemon does not answer within %d s (%s)",
                PATIENCE.toSeconds(),
                failure.getMessage());
    }

    @Override
    public void close() {
        limit.close();
        try {
            channel.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
