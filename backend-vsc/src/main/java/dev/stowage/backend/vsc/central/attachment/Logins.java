package dev.stowage.backend.vsc.central.attachment;

import dev.stowage.arrayapi.ArrayException;
import dev.stowage.arrayapi.ArrayServer;
import dev.stowage.backend.vsc.central.member.Member;
import dev.stowage.backend.vsc.central.member.Members;
import dev.stowage.backend.vsc.central.resource.Kind;
import dev.stowage.backend.vsc.central.resource.Resources;
import dev.stowage.core.error.StowageException;
import dev.stowage.kube.vsc.VscVolumeAttachment;
import dev.stowage.kube.vsc.VscVolumeAttachment.AttachType;
import dev.stowage.kube.vsc.VscVolumeAttachment.Block;
import dev.stowage.kube.vsc.VscVolumeAttachment.State;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What arrays know of nodes, and which have logged in: an array tells that of all of them in one list. */
public final class Logins {

    private static final Logger LOG = LoggerFactory.getLogger(Logins.class);
    /** One that nobody has worked on yet has no state, and is in no set of this kind. */
    private static final Set<State> OF_INTEREST = EnumSet.of(State.ISCSI_LOGIN_PENDING, State.READY);

    private final Resources resources;
    private final Members members;
    private final AttachmentKeeper keeper;

    public Logins(Resources resources, Members members, AttachmentKeeper keeper) {
        this.resources = resources;
        this.members = members;
        this.keeper = keeper;
    }

    /** The arrays to which some node has still to log in. */
    public Set<String> awaited() {
        return resources.attachments().all().stream()
                .filter(attachment -> attachment.getStatus().state() == State.ISCSI_LOGIN_PENDING)
                .flatMap(attachment -> array(attachment).stream())
                .collect(Collectors.toSet());
    }

    /**
     * Writes what one array tells of logins into the attachments, and tells it what nodes say of themselves now.
     *
     * @return that there is nothing more to do: whoever waits for a login has it looked at again
     */
    public boolean look(String array) {
        var concerned = resources.attachments().all().stream()
                .filter(attachment ->
                        OF_INTEREST.contains(attachment.getStatus().state()))
                .filter(attachment -> !Kind.ending(attachment))
                .filter(attachment -> array(attachment).filter(array::equals).isPresent())
                .toList();
        var member = members.find(array);
        if (concerned.isEmpty() || member.isEmpty()) {
            return true;
        }
        try {
            var servers = member.get().client().servers();
            write(concerned, connected(servers));
            correct(member.get(), concerned, servers);
        } catch (ArrayException | StowageException notNow) {
            LOG.debug("array {} cannot tell who has logged in", array, notNow);
        }
        return true;
    }

    /** A node may have got another address, by which it has no access yet. */
    private void correct(Member member, List<VscVolumeAttachment> concerned, List<ArrayServer> servers) {
        var inUse = concerned.stream()
                .collect(Collectors.toMap(
                        attachment -> String.valueOf(attachment.getStatus().vpsaServerId()),
                        attachment -> attachment.getSpec().vscNodeName(),
                        (one, same) -> one));
        for (var server : servers) {
            Optional.ofNullable(inUse.get(server.id()))
                    .flatMap(name -> resources.nodes().told(name))
                    .filter(node -> !ServerRecords.says(server, node))
                    .ifPresent(node -> keeper.correct(member, node));
        }
    }

    private static Map<String, Boolean> connected(List<ArrayServer> servers) {
        var connected = new HashMap<String, Boolean>();
        servers.forEach(server -> server.connected().ifPresent(now -> connected.put(server.id(), now)));
        return connected;
    }

    private void write(List<VscVolumeAttachment> concerned, Map<String, Boolean> connected) {
        for (var attachment : concerned) {
            if (attachment.getSpec().attachType() != AttachType.ISCSI) {
                continue;
            }
            var status = attachment.getStatus();
            var block = status.block();
            var now = connected.get(String.valueOf(status.vpsaServerId()));
            if (block == null || now == null) {
                continue;
            }
            String word = now ? Block.ACTIVE : Block.DISCONNECTED;
            var state = now ? State.READY : status.state();
            if (!word.equals(block.iscsiStatus()) || state != status.state()) {
                // Whoever works on the attachment meanwhile writes all of its status, so that only an unchanged one is
                // written here.
                resources
                        .attachments()
                        .statusIfUnchanged(
                                attachment,
                                new VscVolumeAttachment.Status(
                                        state,
                                        status.vpsaServerId(),
                                        new Block(block.target(), block.lun(), word),
                                        status.nas(),
                                        null));
            }
        }
    }

    private Optional<String> array(VscVolumeAttachment attachment) {
        return resources
                .volumes()
                .told(attachment.getSpec().volumeName())
                .map(volume -> volume.getStatus().vpsaId());
    }
}
