package dev.stowage.backend.vsc.central.attachment;

import dev.stowage.arrayapi.ArrayServer;
import dev.stowage.backend.vsc.central.member.Member;
import dev.stowage.kube.vsc.VscNode;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The records by which arrays know nodes: one for each node on each array, found or made. */
final class ServerRecords {

    /** What was found or made before, so that an array is not asked again at each attachment. */
    private final Map<Key, Known> known = new ConcurrentHashMap<>();

    private record Key(String array, String node) {}

    private record Known(String id, String iqn, String address) {}

    /** @return the id of the node's record, which says what the node says of itself now */
    String ensure(Member member, VscNode node) {
        String name = node.getMetadata().getName();
        var key = new Key(member.name(), name);
        String iqn = iqn(node);
        String address = address(node);
        var before = known.get(key);
        if (before != null && before.iqn().equals(iqn) && before.address().equals(address)) {
            return before.id();
        }
        var present = find(member, name, iqn);
        String id = present.map(ArrayServer::id)
                .orElseGet(() -> member.client().createServer(displayName(name), iqn, address));
        if (present.isPresent() && !says(present.get(), node)) {
            member.client().changeServer(id, displayName(name), iqn, address);
        }
        known.put(key, new Known(id, iqn, address));
        return id;
    }

    /** Whether the record says what the node says of itself. */
    static boolean says(ArrayServer server, VscNode node) {
        return server.iqn().equals(iqn(node)) && server.address().equals(address(node));
    }

    private static String iqn(VscNode node) {
        return node.getSpec().block() == null ? "" : node.getSpec().block().iqn();
    }

    private static String address(VscNode node) {
        return node.getSpec().nas() == null ? "" : node.getSpec().nas().ip();
    }

    /** By its name; or by its initiator, where somebody made the record before us. */
    private static Optional<ArrayServer> find(Member member, String node, String iqn) {
        var all = member.client().servers();
        return all.stream()
                .filter(server -> server.displayName().equals(displayName(node)))
                .findFirst()
                .or(() -> all.stream()
                        .filter(server -> !iqn.isEmpty() && server.iqn().equals(iqn))
                        .findFirst());
    }

    void forget(String array, String node) {
        known.remove(new Key(array, node));
    }

    private static String displayName(String node) {
        return node;
    }
}
