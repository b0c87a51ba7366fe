package dev.stowage.iscsi.qemu;

import dev.stowage.core.error.StowageException;
import dev.stowage.iscsi.Iqn;
import dev.stowage.iscsi.qemu.wire.Answer;
import dev.stowage.iscsi.qemu.wire.Question;
import dev.stowage.linux.command.CommandFailedException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the drivers of this machine with units, through a socket in a directory that they share. Closing it leaves the units as they
 * are; who opens the directory next takes them over.
 */
public final class InitiatorServer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(InitiatorServer.class);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration QUESTION = Duration.ofSeconds(10);
    private static final int LONGEST_PATH = 107;
    private static final String LONGEST_NAME = "/123456789012345678901234/monitor";

    private final UnitDaemons units;
    private final ServerSocketChannel listener;
    private final Thread listening;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("iscsi-watch").factory());

    /**
     * Starts to serve.
     *
     * @param patience how long a target may be silent before whoever waits for it gets errors instead
     */
    public static InitiatorServer start(Path directory, Duration patience) {
        return new InitiatorServer(directory, patience);
    }

    private InitiatorServer(Path directory, Duration patience) {
        if (directory.toString().length() + LONGEST_NAME.length() > LONGEST_PATH) {
            throw StowageException.invalid(
                    "%s: the path is too long for the sockets in it; choose one of at most %d characters",
                    directory, LONGEST_PATH - LONGEST_NAME.length());
        }
        try {
            Files.createDirectories(directory);
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
            var socket = directory.resolve(Wire.SOCKET);
            if (answers(socket)) {
                throw StowageException.notPossible("another initiator serves %s already", directory);
            }
            Files.deleteIfExists(socket);
            listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            listener.bind(UnixDomainSocketAddress.of(socket));
        } catch (IOException failure) {
            throw StowageException.internal(
                    failure, "the initiator cannot listen in %s (%s)", directory, failure.getMessage());
        }
        units = new UnitDaemons(directory, patience);
        listening = Thread.ofPlatform().daemon().name("iscsi-listen").start(this::listen);
        clock.scheduleWithFixedDelay(this::look, 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static boolean answers(Path socket) {
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException nobody) {
            return false;
        }
    }

    private void look() {
        try {
            units.look();
        } catch (RuntimeException failure) {
            log.warn("the units could not be looked after", failure);
        }
    }

    private void listen() {
        while (listener.isOpen()) {
            try {
                var channel = listener.accept();
                // Not a virtual thread: it waits for programs and system calls.
                Thread.ofPlatform().daemon().name("iscsi-call").start(() -> serve(channel));
            } catch (AsynchronousCloseException closed) {
                return;
            } catch (ClosedChannelException closed) {
                return;
            } catch (IOException failure) {
                log.warn("a driver could not be listened to", failure);
            }
        }
    }

    private void serve(SocketChannel channel) {
        try (channel) {
            Question question;
            try (var _ = new TimeLimit(channel, QUESTION)) {
                question = Question.parseDelimitedFrom(Channels.newInputStream(channel));
            }
            if (question != null) {
                answer(question).writeDelimitedTo(Channels.newOutputStream(channel));
            }
        } catch (IOException failure) {
            log.info("a driver ended its conversation early: {}", failure.getMessage());
        }
    }

    private Answer answer(Question question) {
        try {
            return perform(question);
        } catch (StowageException refused) {
            return Answer.newBuilder().setRefusal(Wire.refusal(refused)).build();
        } catch (CommandFailedException failed) {
            return Answer.newBuilder()
                    .setRefusal(Wire.refusal(StowageException.internal("%s", failed.getMessage())))
                    .build();
        } catch (RuntimeException failure) {
            log.error("a call failed", failure);
            return Answer.newBuilder()
                    .setRefusal(Wire.refusal(StowageException.internal(
                            "the initiator failed (%s); its log says more", failure.getMessage())))
                    .build();
        }
    }

    private Answer perform(Question question) {
        var units = switch (question.getCallCase()) {
            case ATTACH -> {
                var call = question.getAttach();
                yield List.of(this.units.attach(new Iqn(call.getInitiator()), Wire.unit(call), call.getReadOnly()));
            }
            case GROW -> List.of(this.units.grow(Wire.address(question.getGrow())));
            case DETACH -> {
                this.units.detach(
                        Wire.address(question.getDetach()), question.getDetach().getSerial());
                yield this.units.list();
            }
            case LIST -> this.units.list();
            case CALL_NOT_SET ->
                throw StowageException.invalid(
                        "a question that this initiator does not know; is it older than the driver?");
        };
        return Answer.newBuilder().addAllUnits(units).build();
    }

    @Override
    public void close() {
        clock.shutdownNow();
        try {
            listener.close();
            // Until the listening thread has noticed, the socket still takes callers.
            listening.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (IOException failure) {
            throw StowageException.internal(
                    failure, "the initiator's socket cannot be closed (%s)", failure.getMessage());
        }
    }
}
