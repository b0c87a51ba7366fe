package dev.stowage.manager.weka;

import dev.stowage.kube.Events;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Condition;
import dev.stowage.kube.weka.WekaClient;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Takes a client from one driver to the next: what has the recorded name goes, then the new name is recorded, then the driver is made. */
final class ClientDrivers {

    private final Claims claims;
    private final DriverReconciler drivers;
    private final LeavingNews news;
    private final Events events;
    private final Consumer<Key> look;

    ClientDrivers(Claims claims, DriverReconciler drivers, LeavingNews news, Events events, Consumer<Key> look) {
        this.claims = claims;
        this.drivers = drivers;
        this.news = news;
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
                    withErrors(wish.message(), recorded),
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

    /** What a driver is does not matter to who cannot say what it wants, but what cannot be done for it does. */
    private String withErrors(String message, @Nullable String driver) {
        var errors = Optional.ofNullable(driver).flatMap(drivers::state).map(DriverState::errors);
        return Stream.concat(Stream.of(message), errors.stream().flatMap(List::stream))
                .collect(Collectors.joining("; "));
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
            news.leaves(client, recorded, wish, rival);
        }
        var state = drivers.state(recorded);
        if (state.isPresent() && !state.get().sharers().contains(Key.named(client))) {
            return wish.driver().isPresent()
                    ? nothing("Progressing", recorded + " is removed")
                    : nothing(wish.reason(), wish.message());
        }
        look.accept(Key.driver(recorded));
        var removal = drivers.removal(recorded);
        return new Step(
                recorded,
                false,
                client.getStatus().csiConfigHash(),
                client.getStatus().csiCluster(),
                removal.map(DriverRemoval::reason).orElse("Progressing"),
                removal.map(each -> each.message(recorded)).orElse(recorded + " is being removed"),
                null);
    }

    private Step have(WekaClient client, String driver, boolean deployed) {
        var status = client.getStatus();
        var state = drivers.state(driver).filter(each -> each.sharers().contains(Key.named(client)));
        if (state.isEmpty()) {
            look.accept(Key.driver(driver));
            // Nobody has looked since this manager began: what was told goes on to hold until somebody has.
            var before = deployed ? told(client) : Optional.<Condition>empty();
            return new Step(
                    driver,
                    deployed,
                    status.csiConfigHash(),
                    Membership.of(client),
                    before.map(Condition::reason).orElse("Progressing"),
                    before.map(Condition::message).orElse(driver + " is being deployed"),
                    deployed ? driver : null);
        }
        news.stays(client);
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
    private static Optional<Condition> told(WekaClient client) {
        return Objects.requireNonNullElse(client.getStatus().conditions(), List.<Condition>of()).stream()
                .filter(condition -> condition.type().equals("CsiDeployed"))
                .findFirst();
    }
}
