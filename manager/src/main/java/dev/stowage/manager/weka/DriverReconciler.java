package dev.stowage.manager.weka;

import dev.stowage.kube.Events;
import dev.stowage.kube.weka.WekaClient;
import dev.stowage.manager.apply.Claim;
import dev.stowage.manager.apply.Sync;
import dev.stowage.manager.driver.RenderingSettings;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/** Makes a driver true that clients share: its objects, and a node server beside each of their containers. */
final class DriverReconciler {

    private static final Claim.Advice ADVICE = new Claim.Advice(
            "give this client another csiGroup or csiDriverName",
            "remove it, or set the value csi.adopt to have it changed");

    private final World world;
    private final Claims claims;
    private final Sync sync;
    private final ContainerServers servers;
    private final RenderingSettings settings;
    private final ToLongFunction<String> volumes;
    private final KubernetesSerialization serialization;
    private final Events events;
    private final Consumer<Key> look;
    private final Map<String, DriverState> states = new ConcurrentHashMap<>();

    /** @param volumes how many a driver has */
    DriverReconciler(
            World world,
            Claims claims,
            Sync sync,
            ContainerServers servers,
            RenderingSettings settings,
            ToLongFunction<String> volumes,
            KubernetesSerialization serialization,
            Events events,
            Consumer<Key> look) {
        this.world = world;
        this.claims = claims;
        this.sync = sync;
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

    /** @return whether there is nothing more to do before something changes */
    boolean reconcile(String driver) {
        var claimants = claims.claimants(driver);
        var read = world.values();
        if (!claimants.isEmpty() && !read.problems().isEmpty()) {
            // Nobody can tell what is wanted. What runs goes on.
            return true;
        }
        return claimants.isEmpty() ? remove(driver) : deploy(driver, claimants, read.values());
    }

    private boolean deploy(String driver, List<WekaClient> claimants, Values values) {
        var owner = claims.owner(driver, claimants);
        var sharers = Claims.sharers(owner, claimants);
        var rendered = ClientDriver.of(driver, owner, values, settings, volumes.applyAsLong(driver), serialization);
        String hash = rendered.hash();
        var problems = rendered.problems();
        if (!problems.isEmpty()) {
            tell(driver, DriverState.waiting(sharers, hash, "Invalid", String.join("; ", problems)));
            return true;
        }
        var before = claims.noted(driver);
        boolean known = Boolean.TRUE.equals(owner.getStatus().csiDeployed())
                && hash.equals(owner.getStatus().csiConfigHash());
        var pass = sync.apply(
                new Claim(owner, driver, values.adopt(), ADVICE),
                rendered.rendering().objects(),
                object -> known);
        if (pass.clean()
                && before.filter(former -> !former.equals(Key.named(owner))).isPresent()) {
            events.normal(
                    owner,
                    "CsiOwner",
                    "answers for the driver %s now, instead of %s".formatted(driver, before.orElseThrow()));
        }
        if (!pass.objections().isEmpty() || !pass.problems().isEmpty()) {
            boolean foreign = !pass.objections().isEmpty();
            var why = foreign ? pass.objections() : pass.problems();
            tell(driver, DriverState.waiting(sharers, hash, foreign ? "NotOurs" : "Invalid", String.join("; ", why)));
            return !foreign;
        }
        var result = servers.settle(
                driver, sharers, rendered.names(), rendered.rendering().nodePod(), values);
        var errors = new ArrayList<>(pass.errors());
        errors.addAll(result.errors());
        if (pass.clean()) {
            tell(driver, DriverState.deployed(sharers, hash, driver, result.errors()));
        } else if (!pass.errors().isEmpty()) {
            tell(driver, DriverState.waiting(sharers, hash, "Failed", String.join("; ", pass.errors())));
        }
        return errors.isEmpty() && !pass.late() && !servers.keepsSome(result);
    }

    /** Removes all that there is of a driver that nobody wants, except what holds mounts and is to stay for them. */
    private boolean remove(String driver) {
        var children = world.children();
        var present = world.nodeServers(driver);
        if (present.isEmpty() && children.of(driver).isEmpty() && isUnknown(driver)) {
            return true;
        }
        var result = servers.remove(driver, world.values().values());
        boolean keeps = servers.keepsSome(result);
        // A node server that stays goes on to talk to the API server.
        var stays = keeps
                ? children.of(driver).stream()
                        .filter(ContainerServers::isAccess)
                        .toList()
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
        }
        return clean && !keeps;
    }

    /** Whether nobody waits for the end of it. */
    private boolean isUnknown(String driver) {
        return world.clients().stream()
                .noneMatch(client -> driver.equals(client.getStatus().csiDriverName()));
    }

    private void tell(String driver, DriverState now) {
        if (now.equals(states.put(driver, now))) {
            return;
        }
        world.clients().stream()
                .filter(client -> driver.equals(client.getStatus().csiDriverName())
                        || claims.wish(client).is(driver))
                .forEach(client -> look.accept(Key.client(client)));
    }
}
