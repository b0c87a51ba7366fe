package dev.stowage.manager.weka;

import dev.stowage.core.error.StowageException;
import dev.stowage.kube.Events;
import dev.stowage.kube.weka.WekaClient;
import dev.stowage.manager.apply.Claim;
import dev.stowage.manager.apply.FormerAccess;
import dev.stowage.manager.apply.Sync;
import dev.stowage.manager.driver.NotUnderstood;
import dev.stowage.manager.driver.RenderingSettings;
import dev.stowage.manager.driver.Volumes;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes a driver true that clients share: its objects, and a node server beside each of their containers. */
final class DriverReconciler {

    private static final Logger LOG = LoggerFactory.getLogger(DriverReconciler.class);
    private static final Claim.Advice ADVICE = new Claim.Advice(
            "give this client another csiGroup or csiDriverName",
            "remove it, or set the value csi.adopt to have it taken over");

    private final World world;
    private final Claims claims;
    private final Sync sync;
    private final FormerAccess formerAccess;
    private final ContainerServers servers;
    private final RenderingSettings settings;
    private final Function<String, Volumes> volumes;
    private final KubernetesSerialization serialization;
    private final Events events;
    private final Consumer<Key> look;
    private final Map<String, DriverState> states = new ConcurrentHashMap<>();

    /** By the driver that nobody wants: what is in the way of its end. */
    private final Map<String, DriverRemoval> removals = new ConcurrentHashMap<>();

    /** By the driver: who answered for it before the one who does now, until that is told. It takes more than one pass at times. */
    private final Map<String, String> takenFrom = new ConcurrentHashMap<>();

    /** @param volumes how many a driver has */
    DriverReconciler(
            World world,
            Claims claims,
            Sync sync,
            FormerAccess formerAccess,
            ContainerServers servers,
            RenderingSettings settings,
            Function<String, Volumes> volumes,
            KubernetesSerialization serialization,
            Events events,
            Consumer<Key> look) {
        this.world = world;
        this.claims = claims;
        this.sync = sync;
        this.formerAccess = formerAccess;
        this.servers = servers;
        this.settings = settings;
        this.volumes = volumes;
        this.serialization = serialization;
        this.events = events;
        this.look = look;
    }

    /** How a driver was when it was last looked at; nothing before that. */
    Optional<DriverState> state(String driver) {
        return Optional.ofNullable(states.get(driver));
    }

    /** What is in the way of the end of a driver; nothing while it is not being removed, or nobody has looked. */
    Optional<DriverRemoval> removal(String driver) {
        return Optional.ofNullable(removals.get(driver));
    }

    /** @return whether there is nothing more to do before something changes */
    boolean reconcile(String driver) {
        var claimants = claims.claimants(driver);
        var read = world.values();
        if (claimants.isEmpty()) {
            return remove(driver, read);
        }
        var owner = claims.owner(driver, claimants);
        var sharers = claims.sharers(driver, owner, claimants);
        if (!read.problems().isEmpty()) {
            return hold(driver, sharers, "InvalidConfiguration", String.join("; ", read.problems()));
        }
        var unclear = claims.unclear(owner);
        if (unclear.isPresent()) {
            String why = "WekaClient %s answers for the driver, which stays as it is: %s"
                    .formatted(Key.named(owner), unclear.get().message());
            return hold(driver, sharers, unclear.get().reason(), why);
        }
        try {
            return deploy(driver, owner, sharers, read.values());
        } catch (NotUnderstood why) {
            LOG.error(
                    "the driver {}, for which WekaClient {} answers, is not understood", driver, Key.named(owner), why);
            String told = "the driver stays as it is: %s; change WekaClient %s or the values of csi"
                    .formatted(why.getMessage(), Key.named(owner));
            return hold(driver, sharers, "Invalid", told);
        }
    }

    /** Nobody can tell what is wanted. What runs goes on, as long as what it runs beside does. */
    private boolean hold(String driver, Set<String> sharers, String reason, String message) {
        var result = servers.prune(driver, sharers);
        tell(driver, DriverState.held(sharers, reason, message, result.errors()));
        return result.settled();
    }

    private boolean deploy(String driver, WekaClient owner, Set<String> sharers, Values values) {
        if (!sync.isPlace(values.namespace(), driver)) {
            // What runs in another one would be taken away for what cannot come.
            String why = "the namespace %s of csi.namespace is not there, or ends; make it, or name another one"
                    .formatted(values.namespace());
            return hold(driver, sharers, "Failed", why);
        }
        var rendered = ClientDriver.of(
                driver, owner, world.configOf(owner), values, settings, volumes.apply(driver), serialization);
        String hash = rendered.hash();
        var problems = rendered.problems();
        if (!problems.isEmpty()) {
            return hold(driver, sharers, "Invalid", String.join("; ", problems));
        }
        claims.noted(driver)
                .filter(former -> !former.equals(Key.named(owner)))
                .ifPresent(former -> takenFrom.put(driver, former));
        boolean known = Boolean.TRUE.equals(owner.getStatus().csiDeployed())
                && hash.equals(owner.getStatus().csiConfigHash());
        var wanted = rendered.rendering().objects();
        var wish = FormerAccess.Wish.of(rendered.rendering().nodePod(), wanted, Optional.empty());
        var pass = sync.apply(
                new Claim(owner, driver, values.adopt() ? Claim.Taking.ANYTHING : Claim.Taking.NOTHING, ADVICE),
                wanted,
                new Sync.Untouched(List.of(), formerAccess.of(driver, wanted, wish)),
                object -> known,
                _ -> true);
        if (pass.clean()) {
            tellOwner(driver, owner);
        }
        if (!pass.objections().isEmpty() || !pass.problems().isEmpty()) {
            boolean foreign = !pass.objections().isEmpty();
            var why = foreign ? pass.objections() : pass.problems();
            return hold(driver, sharers, foreign ? "NotOurs" : "Invalid", String.join("; ", why)) && !foreign;
        }
        if (!pass.unclear().isEmpty()) {
            var _ = hold(driver, sharers, "Failed", String.join("; ", pass.unclear()));
            return false;
        }
        var result = servers.settle(
                driver, sharers, rendered.names(), rendered.rendering().nodePod(), values);
        result.restored().forEach(each -> each.tell(events, owner));
        var errors = new ArrayList<>(pass.errors());
        errors.addAll(result.errors());
        if (pass.clean()) {
            tell(driver, DriverState.deployed(sharers, hash, driver, result));
        } else if (!pass.errors().isEmpty()) {
            tell(driver, DriverState.failed(sharers, hash, errors));
        }
        return errors.isEmpty() && !pass.late() && result.kept().isEmpty();
    }

    private void tellOwner(String driver, WekaClient owner) {
        String former = takenFrom.get(driver);
        if (former != null && !former.equals(Key.named(owner))) {
            events.normal(owner, "CsiOwner", "answers for the driver %s now, instead of %s".formatted(driver, former));
        }
        takenFrom.remove(driver);
    }

    /** Removes all that there is of a driver that nobody wants, except what holds mounts and is to stay for them. */
    private boolean remove(String driver, Values.Read read) {
        var children = world.children();
        var present = world.nodeServers(driver);
        if (present.isEmpty() && children.of(driver).isEmpty() && isUnknown(driver)) {
            takenFrom.remove(driver);
            removals.remove(driver);
            return true;
        }
        // What the values would keep, nobody knows while they cannot be read.
        boolean keeps = !read.problems().isEmpty() || read.values().keepNodeServerUntilUnmounted();
        var result = servers.remove(driver, keeps);
        boolean stay = !result.kept().isEmpty();
        // A node server that stays goes on to talk to the API server.
        var stays = stay
                ? children.of(driver).stream().filter(FormerAccess::isAccess).toList()
                : List.<HasMetadata>of();
        var errors = new ArrayList<>(children.removeOthers(stays, driver));
        errors.addAll(result.errors());
        boolean clean = errors.isEmpty()
                && children.of(driver).size() == stays.size()
                && children.left(driver).size() == stays.size()
                && servers.gone(driver, result);
        if (clean) {
            tell(driver, DriverState.REMOVED);
        } else {
            // Whoever waits for the end of it does not see an old state.
            states.computeIfPresent(driver, (name, state) -> state.sharers().isEmpty() ? null : state);
            tell(driver, DriverRemoval.of(errors, children.of(driver)));
        }
        if (!errors.isEmpty()) {
            throw StowageException.unavailable("the driver is not removed yet: %s", String.join("; ", errors));
        }
        return clean && !stay;
    }

    /** Whether nobody waits for the end of it, and nothing of it may have to come back. */
    private boolean isUnknown(String driver) {
        return world.clients().stream()
                        .noneMatch(client -> driver.equals(client.getStatus().csiDriverName()))
                && world.containers().stream().flatMap(ServerRecords::drivers).noneMatch(driver::equals);
    }

    private void tell(String driver, DriverRemoval now) {
        if (!now.equals(removals.put(driver, now))) {
            lookAtClients(driver);
        }
    }

    private void tell(String driver, DriverState now) {
        removals.remove(driver);
        var before = states.put(driver, now);
        if (now.equals(before)) {
            return;
        }
        Stream.of(now.outdated(), before == null ? Set.<String>of() : before.outdated())
                .flatMap(Set::stream)
                .flatMap(node -> world.containersOn(node).stream())
                .forEach(container -> look.accept(Key.container(Key.named(container))));
        lookAtClients(driver);
    }

    private void lookAtClients(String driver) {
        world.clients().stream()
                .filter(client -> driver.equals(client.getStatus().csiDriverName())
                        || claims.wish(client).is(driver))
                .forEach(client -> look.accept(Key.client(client)));
    }
}
