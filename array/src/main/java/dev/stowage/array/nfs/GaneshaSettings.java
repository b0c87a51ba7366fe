package dev.stowage.array.nfs;

import java.nio.file.Path;
import java.util.Collection;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** What is in the server's file: where it listens and what it serves to whom. */
final class GaneshaSettings {

    /** For so long after a start only what clients had before is given to them. */
    private static final int GRACE_SECONDS = 20;

    private static final int LEASE_SECONDS = 15;
    private static final int LARGEST_TRANSFER = 1 << 20;

    private GaneshaSettings() {}

    /** @param mounts where the shares' filesystems are mounted, each under its volume's id */
    static String text(String address, int port, Path state, Path mounts, Collection<Share> shares) {
        var text = new StringBuilder();
        text.append("NFS_CORE_PARAM { Protocols = 4; NFS_Port = ").append(port);
        text.append("; Bind_addr = ").append(address);
        text.append("; Enable_UDP = false; Enable_NLM = false; Enable_RQUOTA = false; }\n");
        text.append("NFSV4 { Grace_Period = ").append(GRACE_SECONDS);
        text.append("; Lease_Lifetime = ").append(LEASE_SECONDS);
        text.append("; RecoveryBackend = fs; RecoveryRoot = \"").append(state);
        text.append("\"; Only_Numeric_Owners = true; }\n");
        text.append("NFS_KRB5 { Active_krb5 = false; }\n");
        text.append("EXPORT_DEFAULTS { Access_Type = None; Protocols = 4; Transports = TCP; SecType = sys; }\n");
        shares.forEach(share -> text.append(export(mounts.resolve(share.id()), share)));
        return text.toString();
    }

    private static String export(Path mount, Share share) {
        return """
                EXPORT {
                  Export_Id = %d; Path = "%s"; Pseudo = "%s"; Squash = %s;%s%s
                  MaxRead = %d; MaxWrite = %d; PrefRead = %d; PrefWrite = %d;
                  FSAL { Name = VFS; }
                %s}
                """.formatted(
                        share.number(),
                        mount,
                        pseudo(share.name()),
                        share.squashesRoot() ? "root_squash" : "no_root_squash",
                        anonymous("Anonymous_uid", share.anonymousUser()),
                        anonymous("Anonymous_gid", share.anonymousGroup()),
                        LARGEST_TRANSFER,
                        LARGEST_TRANSFER,
                        LARGEST_TRANSFER,
                        LARGEST_TRANSFER,
                        share.clients().stream().map(GaneshaSettings::client).collect(Collectors.joining()));
    }

    static String pseudo(String name) {
        return "/export/" + name;
    }

    private static String anonymous(String option, OptionalLong number) {
        return number.isPresent() ? " " + option + " = " + number.getAsLong() + ";" : "";
    }

    private static String client(Share.Client client) {
        return "  CLIENT { Clients = %s; Access_Type = %s; }\n"
                .formatted(client.address(), client.readOnly() ? "RO" : "RW");
    }
}
