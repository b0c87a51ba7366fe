package dev.stowage.manager.apply;

import dev.stowage.core.error.StowageException;
import dev.stowage.kube.Api;
import dev.stowage.kube.Digest;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes objects what they are to be.
 *
 * <p>The API server fills in what is not said, so whether an object is as it should be is asked of it: it is told to replace the object
 * without doing so, and what comes back is compared with what is there. That is done when the object or the wish has changed since the
 * last time, and never otherwise.
 */
public final class Applier {

    /** On every object: of which wish it was made. What differs although this is the same was changed by somebody else. */
    public static final String WISH = "storage.stowage.dev/wish";

    private static final String DEFAULT_CLASS = "metadata.annotations.storageclass.kubernetes.io/is-default-class";
    private static final int UNPROCESSABLE = 422;
    private static final Set<String> NOT_COMPARED = Set.of(
            "resourceVersion",
            "generation",
            "managedFields",
            "uid",
            "creationTimestamp",
            "selfLink",
            "deletionTimestamp");

    private final KubernetesClient client;
    private final KubernetesSerialization serialization;
    private final Merging merging;
    private final Culprits culprits;
    private final Ownership ownership;
    /** The state in which each object was last found right, by its identity. */
    private final Map<String, Verified> verified = new ConcurrentHashMap<>();
    /** Objects that were removed here to be made anew, and are not yet. Nobody else did that. */
    private final Set<String> between = ConcurrentHashMap.newKeySet();

    private record Verified(String resourceVersion, String wish) {}

    /** @param manager by which name the API server knows who writes: that of the client, up to its version */
    public Applier(KubernetesClient client, String manager, Ownership ownership) {
        this.client = client;
        this.serialization = client.getKubernetesSerialization();
        this.merging = new Merging(manager);
        this.culprits = new Culprits(manager);
        this.ownership = ownership;
    }

    /**
     * Makes an object what it is to be.
     *
     * @param wanted which this may change
     * @param live the object as it is now, if it is there
     * @param known whether it was there before: one that is gone then was deleted by somebody
     */
    public Outcome ensure(HasMetadata wanted, Optional<HasMetadata> live, boolean known) {
        String wish = digest(wanted);
        annotate(wanted, wish);
        if (live.isEmpty()) {
            var made = remember(create(wanted), wish);
            return !between.remove(Adoption.named(wanted)) && known
                    ? new Outcome(made, true, List.of(new Difference("the object", null, "there")), List.of())
                    : Outcome.written(made);
        }
        var present = live.get();
        if (new Verified(present.getMetadata().getResourceVersion(), wish).equals(verified.get(identity(present)))) {
            return Outcome.same(present);
        }
        return replace(wanted, present, wish, known);
    }

    private Outcome replace(HasMetadata wanted, HasMetadata present, String wish, boolean known) {
        var candidate = fitting(wanted, present);
        HasMetadata would;
        try {
            would = client.resource(candidate).dryRun().update();
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != UNPROCESSABLE || !replaceable(present)) {
                throw explained(present, refused);
            }
            // A field that cannot change, unless the whole of it makes no sense: then the one that is there is better
            // than none.
            problem(wanted, true).ifPresent(why -> {
                throw StowageException.internal("%s", why);
            });
            boolean ours = isOurs(present, wish, known);
            var now = remember(anew(candidate, present, ours), wish);
            return written(present, now, ours, Difference.between(tree(present), tree(now)));
        }
        var differences = Difference.between(tree(present), tree(would));
        if (differences.isEmpty()) {
            return Outcome.same(remember(present, wish));
        }
        var now = remember(update(candidate, present), wish);
        return written(present, now, isOurs(present, wish, known), differences);
    }

    /** Whether what an object is to become is our wish, and not what it was before somebody else changed it. */
    private static boolean isOurs(HasMetadata present, String wish, boolean known) {
        String before = annotation(present);
        // One of ours that does not tell any more of which wish it was made was replaced by somebody as well.
        return !wish.equals(before) && !(known && before.isEmpty());
    }

    private Outcome written(HasMetadata present, HasMetadata now, boolean ours, List<Difference> differences) {
        return ours ? Outcome.written(now) : new Outcome(now, true, differences, culprits.of(present, differences));
    }

    /** The object with what others have noted on it, in place of one that cannot become so. */
    private HasMetadata anew(HasMetadata candidate, HasMetadata present, boolean ours) {
        String name = Adoption.named(present);
        candidate.getMetadata().setResourceVersion(null);
        candidate.getMetadata().setFinalizers(List.of());
        Api.call(name, () -> client.resource(present).delete());
        if (ours) {
            between.add(name);
        }
        var now = create(candidate);
        between.remove(name);
        return now;
    }

    private HasMetadata update(HasMetadata candidate, HasMetadata present) {
        try {
            return client.resource(candidate).update();
        } catch (KubernetesClientException refused) {
            throw explained(present, refused);
        }
    }

    /** What is known of an object may be old. */
    private static StowageException explained(HasMetadata present, KubernetesClientException refused) {
        return refused.getCode() == HttpURLConnection.HTTP_CONFLICT
                ? StowageException.busy("%s has changed meanwhile", Adoption.named(present))
                : Api.explained(Adoption.named(present), refused);
    }

    /**
     * Why the API server would never take an object, whatever is there now; empty when it would.
     *
     * @param wanted which is not changed
     */
    private Optional<String> problem(HasMetadata wanted, boolean there) {
        try {
            client.resource(serialization.clone(wanted)).dryRun().create();
            return Optional.empty();
        } catch (KubernetesClientException refused) {
            if (refused.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                // It is looked at whether it makes sense before it is looked at whether it is there already.
                return Optional.empty();
            }
            if (there && refused.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                // A quota that is full, or a policy for new ones, has nothing against what is there.
                return Optional.empty();
            }
            var why = Api.explained(Adoption.named(wanted), refused);
            if (isSenseless(refused)) {
                return Optional.of(String.valueOf(why.getMessage()));
            }
            // Nobody knows, and what nobody knows is not written.
            throw why;
        }
    }

    /** Whether the API server cannot read what it is given, or knows that it cannot be so. */
    private static boolean isSenseless(KubernetesClientException refused) {
        return refused.getCode() == HttpURLConnection.HTTP_BAD_REQUEST || refused.getCode() == UNPROCESSABLE;
    }

    /**
     * Why the API server would not take what is wanted; empty when it would, or when that was found out before.
     *
     * @param wanted which is not changed
     * @throws StowageException if it does not tell
     */
    Optional<String> problem(HasMetadata wanted, Optional<HasMetadata> live) {
        String wish = digest(wanted);
        return live.filter(present -> wish.equals(annotation(present))).isPresent()
                ? Optional.empty()
                : problem(wanted, live.isPresent());
    }

    /** What is wanted, in the shape that the object which is there can take without more restarts than are needed. */
    private HasMetadata fitting(HasMetadata wanted, HasMetadata present) {
        var candidate = merged(wanted, present);
        Workloads.keepSelector(candidate, present);
        if (!Workloads.unmarked(present, ownership)) {
            return candidate;
        }
        var quiet = serialization.clone(candidate);
        Workloads.withoutMarks(quiet, ownership);
        boolean restarts = differences(wanted, present).stream()
                .anyMatch(difference -> difference.path().startsWith("spec.template."));
        return restarts ? candidate : quiet;
    }

    /**
     * How an object that was made by somebody else would have to change, beside whose it is.
     *
     * @param found which is not changed
     */
    public List<Difference> differences(HasMetadata wanted, HasMetadata found) {
        var candidate = merged(wanted, found);
        Workloads.keepSelector(candidate, found);
        Workloads.withoutMarks(candidate, ownership);
        Map<String, Object> would;
        try {
            would = tree(client.resource(candidate).dryRun().update());
        } catch (KubernetesClientException refused) {
            if (!isSenseless(refused)) {
                throw Api.explained(Adoption.named(found), refused);
            }
            // What cannot change cannot be asked either, and what is not said is left to the API server. What makes no
            // sense at all is told before anybody asks for this.
            would = tree(candidate);
            return Difference.between(tree(found), would).stream()
                    .filter(difference -> difference.after() != null && matters(difference))
                    .toList();
        }
        return Difference.between(tree(found), would).stream()
                .filter(Applier::matters)
                .toList();
    }

    /** Labels and annotations only tell whose an object is, but for the one that makes a class the default of the cluster. */
    private static boolean matters(Difference difference) {
        return DEFAULT_CLASS.equals(difference.path())
                ? isDefault(difference.before()) != isDefault(difference.after())
                : !difference.path().startsWith("metadata.");
    }

    private static boolean isDefault(@Nullable Object annotation) {
        return "true".equals(annotation);
    }

    private HasMetadata create(HasMetadata wanted) {
        return Api.call(Adoption.named(wanted), () -> client.resource(wanted).create());
    }

    private HasMetadata remember(HasMetadata object, String wish) {
        verified.put(identity(object), new Verified(object.getMetadata().getResourceVersion(), wish));
        return object;
    }

    /** Objects that nothing depends on by identity. */
    private static boolean replaceable(HasMetadata object) {
        return Set.of("StorageClass", "CSIDriver", "ClusterRoleBinding", "RoleBinding")
                .contains(object.getKind());
    }

    private HasMetadata merged(HasMetadata wanted, HasMetadata present) {
        var candidate = serialization.clone(wanted);
        merging.keep(candidate, present);
        return candidate;
    }

    private Map<String, Object> tree(HasMetadata object) {
        Map<String, Object> tree = serialization.convertValue(object, Map.class);
        tree.remove("status");
        if (tree.get("metadata") instanceof Map<?, ?> metadata) {
            var kept = new HashMap<String, Object>();
            metadata.forEach((key, value) -> {
                if (!NOT_COMPARED.contains(String.valueOf(key))) {
                    kept.put(String.valueOf(key), value);
                }
            });
            // So that those of an object that has none differ one by one.
            kept.putIfAbsent("annotations", Map.of());
            tree.put("metadata", kept);
        }
        return tree;
    }

    private String digest(HasMetadata wanted) {
        return Digest.ofTree(serialization.convertValue(wanted, Map.class));
    }

    private static void annotate(HasMetadata object, String wish) {
        var annotations = new HashMap<String, String>();
        if (object.getMetadata().getAnnotations() != null) {
            annotations.putAll(object.getMetadata().getAnnotations());
        }
        annotations.put(WISH, wish);
        object.getMetadata().setAnnotations(annotations);
    }

    private static String annotation(HasMetadata object) {
        var annotations = object.getMetadata().getAnnotations();
        return annotations == null ? "" : annotations.getOrDefault(WISH, "");
    }

    private static String identity(HasMetadata object) {
        return object.getKind() + "/" + object.getMetadata().getUid();
    }
}
