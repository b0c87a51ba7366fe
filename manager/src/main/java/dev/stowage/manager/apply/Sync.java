package dev.stowage.manager.apply;

import dev.stowage.core.error.StowageException;
import dev.stowage.kube.Events;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Makes all objects true that somebody wants, and nothing else of his making, and tells who had changed them. */
public final class Sync {

    /** Kinds that have in them what users wrote, which may make no sense. */
    private static final Set<String> OF_USERS = Set.of("DaemonSet", "Deployment", "StorageClass", "CSIDriver");

    /** Kinds that only say what is allowed in their namespace. */
    private static final Set<String> OF_THEIR_NAMESPACE = Set.of("Role", "RoleBinding");

    private final Children children;
    private final Adoption adoption;
    private final Applier applier;
    private final Events events;
    private final Namespaces namespaces;
    private final Consumer<String> look;

    /** @param look is told who has to be looked at again, because a namespace came */
    public Sync(
            Children children,
            Adoption adoption,
            Applier applier,
            Events events,
            Namespaces namespaces,
            Consumer<String> look) {
        this.children = children;
        this.adoption = adoption;
        this.applier = applier;
        this.events = events;
        this.namespaces = namespaces;
        this.look = look;
    }

    /**
     * What was done in one pass.
     *
     * @param made what there is now of what is wanted
     * @param late whether some object was not what it was taken for, so that it has to be looked at again
     * @param objections why nothing was touched, because objects are not ours; empty when everything was
     * @param problems why nothing was touched, because the API server would not take it; empty when everything was
     * @param unclear why nothing was touched, because the API server does not tell whether it would; empty when everything was
     */
    public record Pass(
            List<HasMetadata> made,
            List<String> errors,
            List<Restored> restored,
            boolean late,
            List<String> objections,
            List<String> problems,
            List<String> unclear) {

        private static Pass refused(List<String> objections, List<String> problems, List<String> unclear) {
            return new Pass(List.of(), List.of(), List.of(), false, objections, problems, unclear);
        }

        /** Whether nothing was touched. */
        private boolean isRefused() {
            return !objections.isEmpty() || !problems.isEmpty() || !unclear.isEmpty();
        }

        /** Whether everything is as it is to be. */
        public boolean clean() {
            return errors.isEmpty() && !late && !isRefused();
        }
    }

    /**
     * Objects that stay as they are for now.
     *
     * @param later what is wanted and not made yet; that it may be made is looked at before anything is touched
     * @param kept objects of the same owner that are neither changed nor removed
     */
    public record Untouched(List<? extends HasMetadata> later, List<? extends HasMetadata> kept) {}

    /**
     * Makes the objects what they are to be, in their order, and removes others of the same owner.
     *
     * @param wanted which this may change
     * @param known whether an object was there before
     * @param before is given what there is of what is wanted before any of it is written, and says whether it may be written now
     */
    public Pass apply(
            Claim claim,
            List<HasMetadata> wanted,
            Untouched untouched,
            Predicate<HasMetadata> known,
            Predicate<Map<HasMetadata, HasMetadata>> before) {
        wanted.removeIf(object -> isOfNoUse(object, claim.owner()));
        var all = new ArrayList<>(wanted);
        all.addAll(untouched.later());
        Adoption.Found found;
        Optional<Pass> refusal;
        try {
            found = adoption.look(all);
            refusal = refusal(claim, all, found, known);
        } catch (StowageException untold) {
            return Pass.refused(List.of(), List.of(), List.of(String.valueOf(untold.getMessage())));
        }
        if (refusal.isPresent()) {
            return refusal.get();
        }
        if (!before.test(found.live())) {
            return new Pass(List.of(), List.of(), List.of(), true, List.of(), List.of(), List.of());
        }
        var errors = new ArrayList<String>();
        var made = new ArrayList<HasMetadata>();
        var restored = new ArrayList<Restored>();
        boolean late = false;
        for (var object : wanted) {
            var present = found.of(object);
            try {
                var outcome = applier.ensure(object, present, known.test(object));
                if (!outcome.drift().isEmpty()) {
                    restored.add(tell(claim.resource(), outcome));
                }
                made.add(outcome.now());
            } catch (StowageException.Busy meanwhile) {
                late = true;
            } catch (StowageException failed) {
                errors.add(failed.getMessage());
                present.ifPresent(made::add);
            }
        }
        all.addAll(untouched.kept());
        if (errors.isEmpty() && !late) {
            // As long as something is missing, what it takes the place of is better than nothing.
            errors.addAll(children.removeOthers(all, claim.owner()));
        }
        return new Pass(made, errors, restored, late, List.of(), List.of(), List.of());
    }

    /** Why nothing must be touched; empty when everything may be. */
    private Optional<Pass> refusal(
            Claim claim, List<HasMetadata> wanted, Adoption.Found found, Predicate<HasMetadata> known) {
        // First, because what makes no sense cannot be compared with what is there.
        var problems = wanted.stream()
                .filter(object -> OF_USERS.contains(object.getKind()))
                .flatMap(object -> applier.problem(object, found.of(object)).stream())
                .toList();
        var objections = problems.isEmpty() ? adoption.objections(claim, wanted, found, known) : List.<String>of();
        return problems.isEmpty() && objections.isEmpty()
                ? Optional.empty()
                : Optional.of(Pass.refused(objections, problems, List.of()));
    }

    /** Whether something can be made in a namespace. Who could not is looked at when it comes. */
    public boolean isPlace(String namespace, String owner) {
        return namespaces.open(namespace, owner, look);
    }

    /** Where there is no namespace, nothing is in it that anybody could be allowed to read. It is made when the namespace comes. */
    private boolean isOfNoUse(HasMetadata object, String owner) {
        return OF_THEIR_NAMESPACE.contains(object.getKind())
                && !isPlace(object.getMetadata().getNamespace(), owner);
    }

    private Restored tell(HasMetadata resource, Outcome outcome) {
        String object = Adoption.named(outcome.now());
        var changes = outcome.drift().stream().map(Difference::toString).toList();
        String by = outcome.culprits().isEmpty() ? null : outcome.culprits().getFirst();
        var restored = new Restored(outcome.now().getKind(), object, by, changes);
        restored.tell(events, resource);
        return restored;
    }
}
