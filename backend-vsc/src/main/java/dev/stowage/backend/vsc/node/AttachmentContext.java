package dev.stowage.backend.vsc.node;

import dev.stowage.backend.vsc.secret.Sealing;
import dev.stowage.backend.vsc.secret.Unseal;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.VolumeId;
import dev.stowage.iscsi.Chap;
import dev.stowage.iscsi.Iqn;
import dev.stowage.iscsi.IscsiUnit;
import dev.stowage.iscsi.Portal;
import dev.stowage.iscsi.UnitAddress;
import dev.stowage.node.Export;
import java.util.Map;
import java.util.Optional;

/** What the context of an attachment tells of where the volume is. It comes from outside, so every part is checked. */
final class AttachmentContext {

    private static final String NFS = "nfs";

    private AttachmentContext() {}

    /** Where a NAS volume is exported; none for a volume that is a unit of a target. */
    static Optional<Export> export(VolumeId volume, Map<String, String> context) {
        return NFS.equals(context.get("protocol"))
                ? Optional.of(Export.parse(volume, required(volume, context, "export")))
                : Optional.empty();
    }

    static IscsiUnit unit(VolumeId volume, Map<String, String> context, Unseal unseal) {
        var protocol = required(volume, context, "protocol");
        if (!protocol.equals("iscsi")) {
            throw StowageException.invalid(
                    "volume %s is attached by %s, which gives no block device; it can only be mounted",
                    volume, protocol);
        }
        return new IscsiUnit(
                new UnitAddress(new Iqn(required(volume, context, "target")), lun(volume, context)),
                Portal.parseAll(required(volume, context, "portals")),
                Optional.ofNullable(context.get("serial")).filter(serial -> !serial.isBlank()),
                chap(volume, context, unseal));
    }

    private static int lun(VolumeId volume, Map<String, String> context) {
        var text = required(volume, context, "lun");
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException malformed) {
            throw StowageException.invalid("the attachment of volume %s has the unit number '%s'", volume, text);
        }
    }

    private static Optional<Chap> chap(VolumeId volume, Map<String, String> context, Unseal unseal) {
        var user = context.getOrDefault("chapUser", "");
        if (user.isEmpty()) {
            return Optional.empty();
        }
        var sealed = required(volume, context, "sealedChap");
        var initiator =
                new Chap.Account(user, unseal.open(volume.value(), sealed).reveal());
        var target = Optional.of(context.getOrDefault("targetChapUser", ""))
                .filter(name -> !name.isEmpty())
                .map(name -> new Chap.Account(
                        name,
                        unseal.open(Sealing.ofTarget(volume.value()), required(volume, context, "sealedTargetChap"))
                                .reveal()));
        return Optional.of(new Chap(initiator, target));
    }

    private static String required(VolumeId volume, Map<String, String> context, String key) {
        var value = context.get(key);
        if (value == null || value.isBlank()) {
            throw StowageException.invalid(
                    "the attachment of volume %s does not tell its %s; was it attached by this driver? Detach and attach it anew",
                    volume, key);
        }
        return value;
    }
}
