package dev.stowage.manager.weka;

import dev.stowage.kube.Events;
import dev.stowage.kube.weka.WekaClient;
import dev.stowage.manager.beside.MountHolders;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes a client from one driver to the next: what has the recorded name goes, then the new name is recorded, then the driver is made. */
final class ClientDrivers {

    private final Claims claims;
    private final DriverReconciler drivers;
    private final MountHolders holders;
    private final Events events;
    private final Consumer<Key> look;

    /** By the client: from which driver to which it was told to go last. */
    private final Map<String, String> announced = new ConcurrentHashMap<>();

    ClientDrivers(Claims claims, DriverReconciler drivers, MountHolders holders, Events events, Consumer<Key> look) {
        this.claims = claims;
        this.drivers = drivers;
        this.holders = holders;
        this.events = events;
        this.look = look;
    }

    /**
     * How far it is.
     *
     * @param driver the name to be recorded; nothing for none
     * @param cluster what the client says of its cluster, with which it has the driver
     * @param ofContainers the driver whose node servers belong beside the containers; nothing for none
     */
    record Step(
            @Nullable String driver,
            boolean deployed,
            @Nullable String hash,
            @Nullable List<String> cluster,
            String reason,
            String message,
            @Nullable String ofContainers) {

        /** Whether it goes on when something changes, and not by itself. */
        boolean settled() {
            return !reason.equals("NameTaken");
        }
    }

    Step step(WekaClient client) {
        var wish = claims.wish(client);
        var status = client.getStatus();
        String recorded = status.csiDriverName();
        boolean deployed = Boolean.TRUE.equals(status.csiDeployed());
        if (wish.frozen()) {
            return new Step(
                    recorded,
                    deployed,
                    status.csiConfigHash(),
                    status.csiCluster(),
                    wish.reason(),
                    wish.message(),
                    deployed ? recorded : null);
        }
        var rival = wish.driver().flatMap(driver -> claims.rival(client, driver));
        if (recorded != null && (!wish.is(recorded) || rival.isPresent())) {
            return leave(client, recorded, wish, rival);
        }
        if (wish.driver().isEmpty()) {
            return nothing(wish.reason(), wish.message());
        }
        String driver = wish.driver().get();
        if (rival.isPresent()) {
            return taken(client, driver, rival.get());
        }
        return recorded == null
                ? new Step(
                        driver, false, null, Membership.of(client), "Progressing", driver + " is being deployed", null)
                : have(client, driver, deployed);
    }

    private static Step nothing(String reason, String message) {
        return new Step(null, false, null, null, reason, message, null);
    }

    private Step taken(WekaClient client, String driver, String rival) {
        String message =
                "the driver name %s belongs to WekaClient %s, which is of another cluster; set spec.csiConfig.csiGroup or"
                                .formatted(driver, rival)
                        + " csiDriverName to another one";
        boolean news = client.getStatus().conditions() == null
                || client.getStatus().conditions().stream()
                        .noneMatch(condition -> "NameTaken".equals(condition.reason()));
        if (news) {
            events.warning(client, "NameTaken", message);
        }
        return nothing("NameTaken", message);
    }

    /** The recorded driver goes. Others that share it keep it. */
    private Step leave(WekaClient client, String recorded, Claims.Wish wish, Optional<String> rival) {
        if (Boolean.TRUE.equals(client.getStatus().csiDeployed())) {
            announce(client, recorded, wish, rival);
        }
        var state = drivers.state(recorded);
        if (state.isPresent() && !state.get().sharers().contains(Key.named(client))) {
            return wish.driver().isPresent()
                    ? nothing("Progressing", recorded + " is removed")
                    : nothing(wish.reason(), wish.message());
        }
        look.accept(Key.driver(recorded));
        return new Step(
                recorded,
                false,
                client.getStatus().csiConfigHash(),
                client.getStatus().csiCluster(),
                "Progressing",
                recorded + " is being removed",
                null);
    }

    /** Once, however often the status has to be written for it. */
    private void announce(WekaClient client, String recorded, Claims.Wish wish, Optional<String> rival) {
        String news = recorded + " " + wish.driver().orElse(wish.reason());
        if (news.equals(announced.get(client.getMetadata().getUid()))) {
            return;
        }
        var volumes = holders.inUse(recorded);
        boolean renamed = wish.driver().isPresent() && !wish.is(recorded);
        String why = wish.is(recorded)
                ? "it is that of WekaClient %s, which is of another cluster".formatted(rival.orElse(""))
                : wish.message();
        String what = renamed
                ? "the driver is called %s instead of %s from now on"
                        .formatted(wish.driver().orElseThrow(), recorded)
                : "the driver %s is removed: %s".formatted(recorded, why);
        String reason = renamed ? "CsiDriverRenamed" : "CsiRemoved";
        if (volumes.isEmpty()) {
            events.normal(client, reason, what + "; no pod uses a volume of it");
        } else {
            events.warning(
                    client,
                    reason,
                    "%s; what is mounted stays so, but volumes of %s are in use, %d in all"
                            .formatted(what, recorded, volumes.size()),
                    volumes);
        }
        // Not before: who could not be told is to be told the next time.
        announced.put(client.getMetadata().getUid(), news);
    }

    private Step have(WekaClient client, String driver, boolean deployed) {
        var status = client.getStatus();
        var state = drivers.state(driver).filter(each -> each.sharers().contains(Key.named(client)));
        if (state.isEmpty()) {
            look.accept(Key.driver(driver));
            return new Step(
                    driver,
                    deployed,
                    status.csiConfigHash(),
                    Membership.of(client),
                    deployed ? "Deployed" : "Progressing",
                    deployed ? Objects.requireNonNullElse(message(client), "") : driver + " is being deployed",
                    deployed ? driver : null);
        }
        announced.remove(client.getMetadata().getUid());
        var now = state.get();
        return now.deployed()
                ? new Step(driver, true, now.hash(), Membership.of(client), "Deployed", now.message(), driver)
                : new Step(
                        driver,
                        deployed,
                        status.csiConfigHash(),
                        Membership.of(client),
                        now.reason(),
                        now.message(),
                        deployed ? driver : null);
    }

    /** What was told before. */
    private static @Nullable String message(WekaClient client) {
        var conditions = client.getStatus().conditions();
        return conditions == null
                ? null
                : conditions.stream()
                        .filter(condition -> condition.type().equals("CsiDeployed"))
                        .map(condition -> condition.message())
                        .findFirst()
                        .orElse(null);
    }
}
