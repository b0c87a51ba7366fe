package dev.stowage.iscsi.qemu;

import dev.stowage.core.error.StowageException;
import dev.stowage.iscsi.Iqn;
import dev.stowage.iscsi.IscsiUnit;
import dev.stowage.iscsi.UnitAddress;
import dev.stowage.iscsi.qemu.wire.Answer;
import dev.stowage.iscsi.qemu.wire.ListCall;
import dev.stowage.iscsi.qemu.wire.Question;
import dev.stowage.iscsi.qemu.wire.UnitState;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Asks the initiator that serves a directory. */
final class InitiatorClient {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Path directory;

    InitiatorClient(Path directory) {
        this.directory = directory;
    }

    UnitState attach(Iqn initiator, IscsiUnit unit, boolean readOnly) {
        return ask(Question.newBuilder()
                        .setAttach(Wire.attach(initiator, unit, readOnly))
                        .build())
                .getUnits(0);
    }

    void detach(UnitAddress address, Optional<String> serial) {
        ask(Question.newBuilder().setDetach(Wire.unit(address, serial)).build());
    }

    UnitState grow(UnitAddress address) {
        return ask(Question.newBuilder()
                        .setGrow(Wire.unit(address, Optional.empty()))
                        .build())
                .getUnits(0);
    }

    List<UnitState> list() {
        return ask(Question.newBuilder().setList(ListCall.getDefaultInstance()).build())
                .getUnitsList();
    }

    private Answer ask(Question question) {
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                var _ = new TimeLimit(channel, PATIENCE)) {
            channel.connect(UnixDomainSocketAddress.of(directory.resolve(Wire.SOCKET)));
            question.writeDelimitedTo(Channels.newOutputStream(channel));
            var answer = Answer.parseDelimitedFrom(Channels.newInputStream(channel));
            if (answer == null) {
                throw new EOFException("it ended the conversation");
            }
            if (answer.hasRefusal()) {
                throw Wire.failure(answer.getRefusal());
            }
            return answer;
        } catch (IOException failure) {
            throw StowageException.unavailable(
                    failure,
                    "the initiator in %s does not answer (%s); it has to run beside the driver, in a pod of its own or as `stowage initiator`",
                    directory,
                    failure.getMessage());
        }
    }
}
