package dev.stowage.iscsi.qemu;

import dev.stowage.core.error.StowageException;
import dev.stowage.iscsi.Chap;
import dev.stowage.iscsi.Iqn;
import dev.stowage.iscsi.IscsiUnit;
import dev.stowage.iscsi.Portal;
import dev.stowage.iscsi.UnitAddress;
import dev.stowage.iscsi.qemu.wire.Account;
import dev.stowage.iscsi.qemu.wire.AttachCall;
import dev.stowage.iscsi.qemu.wire.Refusal;
import dev.stowage.iscsi.qemu.wire.UnitCall;
import java.util.Optional;

/** What goes over the socket, from our types and back to them. */
final class Wire {

    /** Its name in the directory that driver and server share. */
    static final String SOCKET = "initiator.sock";

    private Wire() {}

    static AttachCall attach(Iqn initiator, IscsiUnit unit, boolean readOnly) {
        var call = AttachCall.newBuilder()
                .setInitiator(initiator.value())
                .setTarget(unit.address().target().value())
                .setLun(unit.address().lun())
                .setReadOnly(readOnly);
        unit.portals().forEach(portal -> call.addPortals(portal.toString()));
        unit.serial().ifPresent(call::setSerial);
        unit.chap().ifPresent(chap -> {
            call.setAccount(account(chap.initiator()));
            chap.target().ifPresent(target -> call.setTargetAccount(account(target)));
        });
        return call.build();
    }

    static IscsiUnit unit(AttachCall call) {
        return new IscsiUnit(
                new UnitAddress(new Iqn(call.getTarget()), call.getLun()),
                call.getPortalsList().stream().map(Portal::parse).toList(),
                call.hasSerial() ? Optional.of(call.getSerial()) : Optional.empty(),
                call.hasAccount()
                        ? Optional.of(new Chap(
                                account(call.getAccount()),
                                call.hasTargetAccount()
                                        ? Optional.of(account(call.getTargetAccount()))
                                        : Optional.empty()))
                        : Optional.empty());
    }

    static UnitCall unit(UnitAddress address, Optional<String> serial) {
        return UnitCall.newBuilder()
                .setTarget(address.target().value())
                .setLun(address.lun())
                .setSerial(serial.orElse(""))
                .build();
    }

    static UnitAddress address(UnitCall call) {
        return new UnitAddress(new Iqn(call.getTarget()), call.getLun());
    }

    private static Account account(Chap.Account account) {
        return Account.newBuilder()
                .setUser(account.user())
                .setPassword(account.password())
                .build();
    }

    private static Chap.Account account(Account account) {
        return new Chap.Account(account.getUser(), account.getPassword());
    }

    static Refusal refusal(StowageException failure) {
        var kind = switch (failure) {
            case StowageException.InvalidRequest _ -> Refusal.Kind.INVALID;
            case StowageException.NotPossible _ -> Refusal.Kind.NOT_POSSIBLE;
            case StowageException.Unavailable _ -> Refusal.Kind.UNAVAILABLE;
            default -> Refusal.Kind.INTERNAL;
        };
        return Refusal.newBuilder()
                .setKind(kind)
                .setMessage(String.valueOf(failure.getMessage()))
                .build();
    }

    static StowageException failure(Refusal refusal) {
        return switch (refusal.getKind()) {
            case INVALID -> StowageException.invalid("%s", refusal.getMessage());
            case NOT_POSSIBLE -> StowageException.notPossible("%s", refusal.getMessage());
            case UNAVAILABLE -> StowageException.unavailable("%s", refusal.getMessage());
            case INTERNAL, UNRECOGNIZED -> StowageException.internal("%s", refusal.getMessage());
        };
    }
}
