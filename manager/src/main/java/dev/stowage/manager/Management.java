package dev.stowage.manager;

import dev.stowage.kube.Events;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Child;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Drift;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Rollout;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Status;
import dev.stowage.manager.apply.Children;
import dev.stowage.manager.apply.Claim;
import dev.stowage.manager.apply.FormerAccess;
import dev.stowage.manager.apply.Restored;
import dev.stowage.manager.apply.StatusBook;
import dev.stowage.manager.apply.Sync;
import dev.stowage.manager.driver.GroupSnapshots;
import dev.stowage.manager.driver.Habits;
import dev.stowage.manager.driver.Rendering;
import dev.stowage.manager.driver.RenderingSettings;
import dev.stowage.manager.driver.Report;
import dev.stowage.manager.metrics.Doings;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes a deployment true: what it asks for is there, and nothing else of its making. */
final class Management {

    private static final Claim.Advice ADVICE =
            new Claim.Advice("give this one another name", "set spec.adoption to Consent to have it changed");

    private final Children children;
    private final Reports reports;
    private final GroupSnapshots groupSnapshots;
    private final KnownVolumes volumes;
    private final Sync sync;
    private final BesideClients beside;
    private final HeldPlaces places;
    private final Predecessors predecessors;
    private final FormerAccess formerAccess;
    private final Rollouts rollouts;
    private final Restarts restarts;
    private final Overview overview;
    private final RenderingSettings settings;
    private final StatusBook book;
    private final Refusals refusals;
    private final Events events;
    private final Doings doings;

    /**
     * What was restored and is not in the status yet: who writes it may be too late, and finds nothing to restore the next time. What is
     * there may have been written since it was read, so this only counts what comes on top.
     */
    private final Map<String, Drift> untold = new ConcurrentHashMap<>();

    Management(
            Children children,
            Reports reports,
            GroupSnapshots groupSnapshots,
            KnownVolumes volumes,
            Sync sync,
            BesideClients beside,
            HeldPlaces places,
            Predecessors predecessors,
            FormerAccess formerAccess,
            Rollouts rollouts,
            Restarts restarts,
            Overview overview,
            RenderingSettings settings,
            StatusBook book,
            Refusals refusals,
            Events events,
            Doings doings) {
        this.children = children;
        this.reports = reports;
        this.groupSnapshots = groupSnapshots;
        this.volumes = volumes;
        this.sync = sync;
        this.beside = beside;
        this.places = places;
        this.predecessors = predecessors;
        this.formerAccess = formerAccess;
        this.rollouts = rollouts;
        this.restarts = restarts;
        this.overview = overview;
        this.settings = settings;
        this.book = book;
        this.refusals = refusals;
        this.events = events;
        this.doings = doings;
    }

    /** What was done for a deployment in one pass. */
    record Pass(
            List<Child> made, List<String> errors, @Nullable Drift restored, List<Remark> remarks) {

        /** Whether what was just written is later than what is known of it. */
        boolean isAheadOf(HasMetadata known) {
            var cached = child(known);
            return made.stream()
                    .anyMatch(each -> each.resource().equals(cached.resource())
                            && each.name().equals(cached.name())
                            && each.lastGeneration() > cached.lastGeneration());
        }

        /** What the status is to tell. */
        @Nullable
        Drift drift(@Nullable Drift told) {
            if (restored == null) {
                return told;
            }
            return told == null ? restored : restored.after(told);
        }
    }

    /** @return whether there is nothing more to do before something changes */
    boolean manage(CsiDriverDeployment deployment, String key) {
        var answer = reports.of(deployment);
        var report = answer.report();
        var leftOut = groupSnapshots.leftOut(deployment.getSpec(), report);
        var status = deployment.getStatus();
        var rendering = new Rendering(
                deployment.getSpec(),
                new DeploymentNames(deployment),
                Habits.USUAL,
                settings,
                leftOut.isPresent() ? report.map(Report::withoutGroupSnapshots) : report,
                volumes.of(driver(deployment)));
        var wanted = rendering.objects();
        daemonSet(wanted).ifPresent(each -> rollouts.choose(each, live(each), status.rolloutOrNone()));
        var held = places.of(deployment, key, daemonSet(wanted));
        var before = held.any() ? List.<Pod>of() : before(key, daemonSet(wanted));
        var later = held.any() || !before.isEmpty() ? daemonSet(wanted).stream().toList() : List.<DaemonSet>of();
        wanted.removeAll(later);
        var set = daemonSet(wanted);
        var kept = new ArrayList<HasMetadata>(held.sets());
        kept.addAll(
                formerAccess.of(key, wanted, FormerAccess.Wish.of(rendering.nodePod(), wanted, lastGood(deployment))));
        var synced = sync.apply(
                claim(deployment, key),
                wanted,
                new Sync.Untouched(later, kept),
                object -> known(deployment, object),
                found -> remember(deployment, set, found));
        if (!synced.objections().isEmpty()) {
            refusals.notOurs(deployment, synced.objections());
            return false;
        }
        if (!synced.problems().isEmpty()) {
            refusals.invalid(deployment, synced.problems());
            return true;
        }
        if (!synced.unclear().isEmpty()) {
            refusals.unclear(deployment, synced.unclear());
            return false;
        }
        note(key, synced.restored());
        if (synced.late()) {
            return false;
        }
        var followers = followers(deployment, key, rendering, held, before, synced);
        followers.result().restored().forEach(each -> each.tell(events, deployment));
        note(key, followers.result().restored());
        var errors = new ArrayList<>(synced.errors());
        errors.addAll(followers.result().errors());
        errors.addAll(held.told());
        before.forEach(pod -> errors.add(Predecessors.told(pod)));
        if (!held.any() && before.isEmpty() && isUnclear(deployment, followers)) {
            if (errors.isEmpty() && deployment.getMetadata().getGeneration().equals(status.observedGeneration())) {
                // It was true when somebody knew, and nobody knows better.
                return false;
            }
            errors.add("it is not known yet which nodes have a client; it is tried again");
        }
        var step = advance(deployment, key, set, followers);
        wanted.addAll(held.sets());
        var made = Stream.concat(synced.made().stream(), kept.stream())
                .map(Management::child)
                .toList();
        var remarks = Remark.of(deployment, answer.silence(), leftOut);
        var now = overview.of(
                deployment, wanted, new Pass(made, errors, untold.get(key), remarks), report, step, followers);
        book.write(deployment, now);
        untold.remove(key);
        tellOtherName(deployment, now);
        tell(deployment, now, remarks);
        return errors.isEmpty()
                && set.flatMap(this::live).filter(rollouts::underWay).isEmpty()
                && step.waiting().isEmpty()
                && step.rollout().restarting() == null
                && (set.isPresent() || followers.wanted().isPresent());
    }

    /** Who has to end before the driver comes by what is wanted now. Where that is already, nobody has to. */
    private List<Pod> before(String key, Optional<DaemonSet> wanted) {
        return wanted.flatMap(this::live).isPresent() ? List.of() : predecessors.of(key, wanted);
    }

    private BesideClients.Followers followers(
            CsiDriverDeployment deployment,
            String key,
            Rendering rendering,
            HeldPlaces.Held held,
            List<Pod> before,
            Sync.Pass synced) {
        if (held.any()) {
            return held.followers();
        }
        // What comes instead of pods beside clients has to be able to.
        boolean theirTurn =
                deployment.getSpec().besidePods() == null ? synced.errors().isEmpty() : before.isEmpty();
        return theirTurn ? beside.settle(deployment, key, rendering) : beside.standing(key);
    }

    /**
     * Puts a template on record that works and is about to be overwritten, as that of an adopted driver is.
     *
     * @return whether it was on record before
     */
    private boolean remember(
            CsiDriverDeployment deployment, Optional<DaemonSet> set, Map<HasMetadata, HasMetadata> found) {
        var state = deployment.getStatus().rolloutOrNone();
        var now = set.flatMap(wanted -> Optional.ofNullable(found.get(wanted))
                        .map(live -> rollouts.remember(wanted, (DaemonSet) live, state)))
                .orElse(state);
        return !book.write(deployment, deployment.getStatus().with(now));
    }

    /** The template that may come back to the nodes. Beside clients none does. */
    private static Optional<PodTemplateSpec> lastGood(CsiDriverDeployment deployment) {
        return deployment.getSpec().besidePods() == null
                ? Optional.ofNullable(deployment.getStatus().rolloutOrNone().template())
                : Optional.empty();
    }

    /** Whether nobody can tell on which nodes the driver is to be. */
    private static boolean isUnclear(CsiDriverDeployment deployment, BesideClients.Followers followers) {
        return deployment.getSpec().besidePods() != null && followers.wanted().isEmpty();
    }

    private void tellOtherName(CsiDriverDeployment deployment, Status now) {
        Overview.otherName(now)
                .filter(message -> !Overview.otherName(deployment.getStatus())
                        .filter(message::equals)
                        .isPresent())
                .ifPresent(message -> events.warning(deployment, Overview.OTHER_NAME, message));
    }

    /** Once, however often it is found: when it comes into the status, where something worse may leave no room for it. */
    private void tell(CsiDriverDeployment deployment, Status now, List<Remark> remarks) {
        String before = Overview.syncMessage(deployment.getStatus());
        String after = Overview.syncMessage(now);
        remarks.stream()
                .filter(remark -> remark.isIn(after) && !remark.isIn(before))
                .forEach(remark -> events.warning(deployment, remark.reason(), remark.message()));
    }

    private static Claim claim(CsiDriverDeployment deployment, String key) {
        boolean consent = "Consent".equals(deployment.getSpec().adoption());
        return new Claim(deployment, key, consent ? Claim.Taking.ANYTHING : Claim.Taking.EQUALS, ADVICE);
    }

    /** What was restored. It is told with what was in other passes, whose status could not be written. */
    private void note(String key, List<Restored> now) {
        for (var each : now) {
            doings.restored(key, each.kind());
            untold.merge(key, new Drift(1, each.object(), each.by(), each.changes()), (all, drift) -> drift.after(all));
        }
    }

    /** Leaves nothing half done in a deployment that is not managed any more. */
    Rollout leave(CsiDriverDeployment deployment, String key) {
        return restarts.abandon(key, deployment.getStatus().rolloutOrNone());
    }

    private static String driver(CsiDriverDeployment deployment) {
        return Objects.requireNonNull(deployment.getSpec().driverName());
    }

    private static Optional<DaemonSet> daemonSet(List<HasMetadata> wanted) {
        return wanted.stream()
                .filter(DaemonSet.class::isInstance)
                .map(DaemonSet.class::cast)
                .findFirst();
    }

    private Optional<DaemonSet> live(DaemonSet wanted) {
        return children.find(wanted).map(DaemonSet.class::cast);
    }

    /** Whether it was made before. */
    static boolean known(CsiDriverDeployment deployment, HasMetadata object) {
        var known = Objects.requireNonNullElse(deployment.getStatus().children(), List.<Child>of());
        return known.stream()
                .anyMatch(child -> child.resource().equals(object.getPlural())
                        && Objects.equals(
                                child.namespace(), object.getMetadata().getNamespace())
                        && child.name().equals(object.getMetadata().getName()));
    }

    private static Child child(HasMetadata object) {
        String version = object.getApiVersion();
        int border = version.indexOf('/');
        var generation = object.getMetadata().getGeneration();
        return new Child(
                border < 0 ? "" : version.substring(0, border),
                object.getPlural(),
                object.getMetadata().getNamespace(),
                object.getMetadata().getName(),
                generation == null ? 0 : generation);
    }

    /** Brings the template to the nodes, as far as Kubernetes does not do it. */
    private Restarts.Step advance(
            CsiDriverDeployment deployment, String key, Optional<DaemonSet> set, BesideClients.Followers followers) {
        var state = deployment.getStatus().rolloutOrNone();
        if (set.isEmpty()) {
            var abandoned = restarts.abandon(key, state);
            // Beside clients there is no template that could have been taken back.
            boolean settled = followers.wanted().isPresent();
            return new Restarts.Step(
                    settled ? abandoned.refusing(null, null).missing(null) : abandoned,
                    followers.result().held());
        }
        var wanted = set.get();
        var live = live(wanted);
        if (live.isEmpty()) {
            return new Restarts.Step(state, Map.of());
        }
        boolean rolling = !"OnDelete".equals(deployment.getSpec().nodeUpdateStrategy());
        var judged = rollouts.judge(wanted, live.get(), state, rolling);
        if (judged.refused() != null && !judged.refused().equals(state.refused())) {
            tellReturn(deployment, judged);
        }
        return rolling && Boolean.TRUE.equals(deployment.getSpec().holdsMounts())
                ? restarts.advance(deployment, key, live.get(), judged)
                : new Restarts.Step(restarts.abandon(key, judged), Map.of());
    }

    private void tellReturn(CsiDriverDeployment deployment, Rollout rollout) {
        doings.rolledBack(DeploymentReconciler.key(deployment));
        events.warning(
                deployment,
                "RolledBack",
                "the template for nodes does not work and is taken back; the one of %s comes again (%s)"
                        .formatted(rollout.lastGood(), rollout.why()));
    }
}
