package dev.stowage.manager.apply;

import dev.stowage.kube.Api;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Takes over objects that were there before, made by Helm or by hand. */
public final class Adoption {

    private final KubernetesClient client;
    private final Children children;
    private final Applier applier;
    private final Ownership neighbours;

    /** @param neighbours how objects tell for whom they were made that this manager makes in its other role. They are never taken */
    public Adoption(KubernetesClient client, Children children, Applier applier, Ownership neighbours) {
        this.client = client;
        this.children = children;
        this.applier = applier;
        this.neighbours = neighbours;
    }

    /**
     * What there is of what is wanted.
     *
     * @param live by the object that is wanted: by this one, and not by what is in it, which may be changed, or make so little sense that
     *     it is like nothing, as a quantity that is none
     */
    record Found(Map<HasMetadata, HasMetadata> live) {
        Optional<HasMetadata> of(HasMetadata wanted) {
            return Optional.ofNullable(live.get(wanted));
        }
    }

    Found look(List<HasMetadata> wanted) {
        var live = new IdentityHashMap<HasMetadata, HasMetadata>();
        for (var object : wanted) {
            children.find(object).or(() -> ask(object)).ifPresent(found -> live.put(object, found));
        }
        return new Found(live);
    }

    /**
     * Why nothing must be touched; empty when everything may be.
     *
     * @param known whether an object was made before, and is ours even if it has lost its labels
     */
    List<String> objections(Claim claim, List<HasMetadata> wanted, Found found, Predicate<HasMetadata> known) {
        var objections = new ArrayList<String>();
        for (var object : wanted) {
            found.of(object)
                    .flatMap(present -> objection(claim, object, present, known.test(object)))
                    .ifPresent(objections::add);
        }
        return objections;
    }

    /** Objects without our labels are not in the cache. */
    private Optional<HasMetadata> ask(HasMetadata wanted) {
        return Optional.ofNullable(
                Api.call(named(wanted), () -> client.resource(wanted).get()));
    }

    private Optional<String> objection(Claim claim, HasMetadata wanted, HasMetadata found, boolean known) {
        var owner = children.owner(found);
        if (owner.isPresent()) {
            return owner.filter(other -> !other.equals(claim.owner()))
                    .map(other -> taken(claim, found, children.ownership().described(other)));
        }
        var neighbour = neighbours.owner(found);
        if (neighbour.isPresent()) {
            return neighbour.map(other -> taken(claim, found, neighbours.described(other)));
        }
        var controller = controller(found);
        if (controller != null) {
            return Optional.of("%s belongs to %s %s; it cannot be adopted"
                    .formatted(named(found), controller.getKind(), controller.getName()));
        }
        if (known || claim.taking() == Claim.Taking.ANYTHING) {
            return Optional.empty();
        }
        var differences = applier.differences(wanted, found);
        if (differences.isEmpty()) {
            return claim.taking() == Claim.Taking.EQUALS
                    ? Optional.empty()
                    : Optional.of("%s was there before, made by somebody else; %s"
                            .formatted(named(found), claim.advice().there()));
        }
        return Optional.of("%s was there before and is not what it would be (%s); %s"
                .formatted(
                        named(found),
                        differences.stream().map(Difference::toString).collect(Collectors.joining(", ")),
                        claim.advice().there()));
    }

    private static String taken(Claim claim, HasMetadata found, String other) {
        return "%s belongs to %s; %s"
                .formatted(named(found), other, claim.advice().taken());
    }

    private static @Nullable OwnerReference controller(HasMetadata object) {
        var owners = object.getMetadata().getOwnerReferences();
        return owners == null
                ? null
                : owners.stream()
                        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                        .findFirst()
                        .orElse(null);
    }

    public static String named(HasMetadata object) {
        String namespace = object.getMetadata().getNamespace();
        return "%s %s%s"
                .formatted(
                        object.getKind(),
                        namespace == null ? "" : namespace + "/",
                        object.getMetadata().getName());
    }
}
