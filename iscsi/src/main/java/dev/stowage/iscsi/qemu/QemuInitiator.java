package dev.stowage.iscsi.qemu;

import dev.stowage.core.error.StowageException;
import dev.stowage.iscsi.Attached;
import dev.stowage.iscsi.Initiator;
import dev.stowage.iscsi.Iqn;
import dev.stowage.iscsi.IscsiUnit;
import dev.stowage.iscsi.Session;
import dev.stowage.iscsi.UnitAddress;
import dev.stowage.iscsi.qemu.wire.UnitState;
import dev.stowage.linux.Errno;
import dev.stowage.linux.SyscallException;
import dev.stowage.linux.file.FileHandle;
import dev.stowage.linux.loop.LoopDevice;
import dev.stowage.linux.loop.LoopDevices;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The driver's side: what the server beside it offers as a file becomes a loop device. It keeps nothing in mind; files, loop devices and
 * the server tell all.
 *
 * <p>The loop device works through the page cache, never past it: direct I/O on such a file corrupts data with QEMU 7.2.
 */
public final class QemuInitiator implements Initiator {

    private static final int LOOP_MAJOR = 7;

    private final Iqn name;
    private final UnitFiles files;
    private final InitiatorClient server;

    /** @param directory the one that the server serves */
    public QemuInitiator(Iqn name, Path directory) {
        this.name = name;
        this.files = new UnitFiles(directory);
        this.server = new InitiatorClient(directory);
    }

    private record HeldLoop(Attached attached, LoopDevice loop) implements Held {
        @Override
        public void close() {
            loop.close();
        }
    }

    @Override
    public Iqn name() {
        return name;
    }

    @Override
    public Held attach(IscsiUnit unit, How how) {
        var state = server.attach(name, unit, how.readOnly());
        if (state.getReadOnly() != how.readOnly()) {
            throw StowageException.notPossible(
                    "%s is attached here %s; it has to be detached before it is attached %s",
                    unit.address(), mode(state.getReadOnly()), mode(how.readOnly()));
        }
        try (var file = files.open(state)) {
            var loop = LoopDevices.find(file.identity())
                    .orElseGet(() -> LoopDevices.attach(
                            file, file.path(), new LoopDevices.Options(how.readOnly(), how.heldByMount())));
            return new HeldLoop(attached(state, loop.number()), loop);
        }
    }

    private static String mode(boolean readOnly) {
        return readOnly ? "read-only" : "read-write";
    }

    @Override
    public Optional<Attached> find(UnitAddress address) {
        return running(address).flatMap(state -> loop(state).map(number -> attached(state, number)));
    }

    private Optional<UnitState> running(UnitAddress address) {
        return server.list().stream()
                .filter(state ->
                        state.getProcess() > 0 && UnitDaemons.address(state).equals(address))
                .findFirst();
    }

    private Optional<Integer> loop(UnitState state) {
        try (var file = files.open(state)) {
            var identity = file.identity();
            return LoopDevices.attached().stream()
                    .filter(loop -> loop.backing().equals(identity))
                    .map(LoopDevices.Attached::number)
                    .findFirst();
        } catch (SyscallException failure) {
            if (failure.is(Errno.ENOTCONN) || failure.is(Errno.ECONNABORTED) || failure.is(Errno.ENOENT)) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    @Override
    public void detach(UnitAddress address, Optional<String> serial, Optional<Path> device) {
        for (var state : server.list()) {
            boolean meant = UnitDaemons.address(state).equals(address)
                    && (serial.isEmpty() || serial.get().equals(state.getSerial()));
            if (meant) {
                detachLoop(state);
            }
        }
        device.ifPresent(this::detachLost);
        server.detach(address, serial);
    }

    @Override
    public void cut(UnitAddress address) {
        server.detach(address, Optional.empty());
    }

    private void detachLoop(UnitState state) {
        if (state.getProcess() > 0) {
            try (var file = files.open(state)) {
                detachLoops(file.identity());
            } catch (SyscallException failure) {
                if (!failure.is(Errno.ENOTCONN) && !failure.is(Errno.ECONNABORTED) && !failure.is(Errno.ENOENT)) {
                    throw failure;
                }
            }
        }
        var name = files.disk(state).toString();
        LoopDevices.attached().stream()
                .filter(loop -> loop.backing().equals(LoopDevices.LOST)
                        && loop.backingFile().equals(name))
                .forEach(loop -> LoopDevices.detach(loop.number(), LoopDevices.LOST));
    }

    private static void detachLoops(FileHandle.Identity identity) {
        LoopDevices.attached().stream()
                .filter(loop -> loop.backing().equals(identity))
                .forEach(loop -> LoopDevices.detach(loop.number(), identity));
    }

    /** A file that is no longer mounted where it was shows as the root of its mount, which is the file itself. */
    private void detachLost(Path device) {
        LoopDevices.attached().stream()
                .filter(loop -> device.equals(Path.of("/dev/loop" + loop.number()))
                        && loop.backing().equals(LoopDevices.LOST)
                        && (loop.backingFile().equals("/") || files.contains(loop.backingFile())))
                .forEach(loop -> LoopDevices.detach(loop.number(), LoopDevices.LOST));
    }

    @Override
    public long grow(UnitAddress address) {
        var state = server.grow(address);
        var number = loop(state).orElseThrow(() -> StowageException.notPossible("%s has no device here", address));
        files.awaitSize(state);
        LoopDevices.resize(number);
        return LoopDevices.size(number);
    }

    @Override
    public List<Session> sessions() {
        return server.list().stream()
                .map(state -> new Session(
                        UnitDaemons.address(state),
                        state.getSerial(),
                        state.getTrouble().isEmpty() ? Optional.empty() : Optional.of(state.getTrouble())))
                .toList();
    }

    private static Attached attached(UnitState state, int loop) {
        return new Attached(
                UnitDaemons.address(state), state.getSerial(), Path.of("/dev/loop" + loop), LOOP_MAJOR, loop);
    }
}
