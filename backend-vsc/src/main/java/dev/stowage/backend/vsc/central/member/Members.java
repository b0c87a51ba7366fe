package dev.stowage.backend.vsc.central.member;

import dev.stowage.arrayapi.ArrayAddress;
import dev.stowage.arrayapi.ArrayClient;
import dev.stowage.arrayapi.ArrayTrust;
import dev.stowage.backend.vsc.VscSettings;
import dev.stowage.backend.vsc.central.placement.Allocator;
import dev.stowage.core.backend.Gauge;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.volume.Sizes;
import dev.stowage.kube.vsc.Vpsa;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The arrays that are members of classes, by name. */
public final class Members implements AutoCloseable {

    private final Map<String, Member> members = new ConcurrentHashMap<>();
    private final VscSettings.Arrays settings;
    private final Allocator allocator;
    private final HttpClient http;

    public Members(VscSettings.Arrays settings, Allocator allocator) {
        this.settings = settings;
        this.allocator = allocator;
        // One pool of connections serves all arrays. HTTP/1.1 is what they speak.
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(settings.timeout())
                .sslContext(settings.verify() ? ArrayTrust.verifying(settings.trusted()) : ArrayTrust.unverified())
                .build();
    }

    public Optional<Member> find(String name) {
        return Optional.ofNullable(members.get(name));
    }

    /** The array that a resource says it is on. */
    public Member require(String name) {
        return find(name)
                .orElseThrow(() -> StowageException.unavailable(
                        "array %s: there is no VPSA of this name that could be asked; repeat the call when there is",
                        name));
    }

    /** The member for a resource: the one there is, unless it is to be reached in another way than before. */
    Member ensure(Vpsa resource, String token) {
        String name = resource.getMetadata().getName();
        var access = new Member.Access(
                Optional.ofNullable(resource.getSpec().hostname()).orElse(""), token);
        return members.compute(name, (key, present) -> {
            if (present != null && present.access().equals(access)) {
                return present;
            }
            var address = ArrayAddress.parse(access.hostname(), settings.tls());
            var client = ArrayClient.of(http, address, () -> token, settings.timeout());
            return new Member(name, resource.getMetadata().getCreationTimestamp(), access, client);
        });
    }

    void remove(String name) {
        members.remove(name);
    }

    /**
     * Chooses an array for a volume, and promises it the room.
     *
     * @param among the members of the volume's class
     */
    public synchronized Member place(String volume, String className, long bytes, List<Vpsa> among) {
        if (among.isEmpty()) {
            throw StowageException.exhausted(
                    "volume %s: VSCStorageClass %s has no arrays; add a VPSA to it", volume, className);
        }
        var fit = among.stream()
                .map(resource -> resource.getMetadata().getName())
                .map(this::find)
                .flatMap(Optional::stream)
                .filter(member -> member.objection(bytes).isEmpty())
                .map(Member::candidate)
                .toList();
        // A sick array costs whoever asks it a time limit, so it is asked only when there is no other.
        var prompt = fit.stream()
                .filter(candidate -> require(candidate.array()).client().prompt())
                .toList();
        var chosen = allocator.choose(prompt.isEmpty() ? fit : prompt).map(candidate -> require(candidate.array()));
        chosen.ifPresent(member -> member.promise(volume, bytes));
        return chosen.orElseThrow(() -> nowhere(volume, className, bytes, among));
    }

    private StowageException nowhere(String volume, String className, long bytes, List<Vpsa> among) {
        var objections = new TreeMap<String, String>();
        for (var resource : among) {
            String name = resource.getMetadata().getName();
            objections.put(
                    name, find(name).flatMap(member -> member.objection(bytes)).orElse(Member.NOT_YET));
        }
        String message = "volume %s of %s: no array of VSCStorageClass %s can take it: %s"
                .formatted(
                        volume,
                        Sizes.text(bytes),
                        className,
                        objections.entrySet().stream()
                                .map(each -> each.getKey() + " " + each.getValue())
                                .collect(Collectors.joining("; ")));
        // What a controller that has just started does not know yet is no reason to look for room elsewhere.
        return objections.containsValue(Member.NOT_YET)
                ? StowageException.unavailable("%s", message)
                : StowageException.exhausted("%s", message);
    }

    /** How each array was asked and how it takes it, those of one name together. */
    public List<Gauge> gauges() {
        return MemberGauges.of(members.values());
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
