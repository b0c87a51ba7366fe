package dev.stowage.manager.beside;

import dev.stowage.core.error.StowageException;
import dev.stowage.kube.Api;
import dev.stowage.manager.apply.Adoption;
import dev.stowage.manager.apply.Restored;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Keeps exactly one pod on each node that has a client: made, made anew when it is outdated or has ended, removed with its client. */
public final class NodeServers {

    private final KubernetesClient client;
    private final Placement placement;

    /**
     * For pods of one kind.
     *
     * @param manager by which name the API server knows who writes: that of the client, up to its version
     * @param digest the annotation that tells of which template a pod was made
     */
    public NodeServers(KubernetesClient client, String manager, String digest) {
        this.client = client;
        this.placement = new Placement(client.getKubernetesSerialization(), digest, manager);
    }

    public Placement placement() {
        return placement;
    }

    /** Asks for one pass whether pods can be made. */
    public Successors successors() {
        return new Successors(client, placement);
    }

    /**
     * What has become of it.
     *
     * @param waiting by the node: who is in the way of the end of a pod that is to go
     * @param ended what was removed
     * @param restored what of that was removed because somebody had changed it
     * @param refused by the node: why its pod stays as it was, because the API server would not take the one in its place
     * @param errors what could not be done, and why, those as well
     */
    public record Result(
            Map<String, List<String>> waiting,
            List<Pod> ended,
            List<Restored> restored,
            Map<String, String> refused,
            List<String> errors) {

        public static final Result NOTHING = new Result(Map.of(), List.of(), List.of(), Map.of(), List.of());

        /** What else could not be done. */
        public List<String> failures() {
            return errors.stream()
                    .filter(error -> !refused.containsValue(error))
                    .toList();
        }

        /** The same, but for pods that only wait for their turn. */
        public Map<String, List<String>> held() {
            var held = new TreeMap<>(waiting);
            held.values().removeIf(Gradually.OTHERS::equals);
            return held;
        }

        /** The nodes whose pods wait for their turn. */
        public Set<String> inTurn() {
            var nodes = new TreeSet<>(waiting.keySet());
            nodes.removeAll(held().keySet());
            return nodes;
        }

        /** Whether there is nothing more to do before something changes. */
        public boolean settled() {
            return waiting.isEmpty() && errors.isEmpty();
        }
    }

    /** Who is in the way of the end of a pod. */
    public interface Holders {
        Holders NOBODY = (pod, again) -> List.of();

        /** @param again whether another is to come in its place */
        List<String> of(Pod pod, boolean again);

        /** Is told that a pod stays which nobody was in the way of. */
        default void stays(Pod pod) {}
    }

    /**
     * Brings the pods about.
     *
     * @param present all that there are of the same kind
     * @param wanted by their names, which have to be the same for the same node and purpose
     */
    public Result settle(List<Pod> present, Map<String, Pod> wanted, Holders holders) {
        var result =
                new Result(new TreeMap<>(), new ArrayList<>(), new ArrayList<>(), new TreeMap<>(), new ArrayList<>());
        for (var step : Plan.of(present, wanted, placement, holders, successors()::refusal)) {
            try {
                take(step, result, holders);
            } catch (StowageException failed) {
                result.errors.add(failed.getMessage());
            }
        }
        return result;
    }

    private void take(Plan.Step step, Result result, Holders holders) {
        var pod = step.pod();
        switch (step) {
            case Plan.Make _ -> make(pod, holders);
            case Plan.Remove _ -> remove(pod, Edits.NONE, result);
            case Plan.Replace(var _, var edits) -> remove(pod, edits, result);
            case Plan.Refuse(var _, var why) -> {
                result.refused.put(Placement.node(pod).orElse(""), why);
                if (!result.errors.contains(why)) {
                    result.errors.add(why);
                }
            }
            case Plan.Keep(var _, var inTheWay) ->
                result.waiting.put(Placement.node(pod).orElse(""), inTheWay);
            case Plan.Await _ -> {}
        }
    }

    private void remove(Pod pod, Edits edits, Result result) {
        // Not a later one of the same name.
        var removed = Api.attempt(
                Adoption.named(pod),
                () -> client.resource(pod).lockResourceVersion().delete());
        result.ended.add(pod);
        if (removed.filter(ended -> !ended.isEmpty()).isPresent()
                && !edits.changes().isEmpty()) {
            result.restored.add(edits.restored(pod));
        }
    }

    private void make(Pod pod, Holders holders) {
        try {
            client.resource(pod).create();
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw Api.explained(Adoption.named(pod), refused);
            }
            makeRoom(pod, holders);
        }
    }

    /** One that is not known and has the name may have lost the labels by which it was. */
    private void makeRoom(Pod wanted, Holders holders) {
        String what = Adoption.named(wanted);
        var present = Api.call(what, () -> client.resource(wanted).get());
        if (present != null && !placement.isOurs(present)) {
            throw StowageException.unavailable("%s is there, and somebody else has made it; remove it", what);
        }
        if (present != null && present.getMetadata().getDeletionTimestamp() == null) {
            // It is in nobody's count, so that what matters is who needs it, and not whose turn it is to be replaced.
            if (!holders.of(present, false).isEmpty()) {
                restore(present, wanted);
                return;
            }
            var _ = Api.attempt(
                    what, () -> client.resource(present).lockResourceVersion().delete());
        }
        throw StowageException.unavailable("%s is still there; it is made anew when it is gone", what);
    }

    /** One that must not end gets the labels again. With them it is found the next time, and judged as any other. */
    private void restore(Pod present, Pod wanted) {
        var _ = Api.attempt(
                Adoption.named(present),
                () -> client.resource(present).edit(found -> {
                    var labels = new HashMap<String, String>();
                    if (found.getMetadata().getLabels() != null) {
                        labels.putAll(found.getMetadata().getLabels());
                    }
                    labels.putAll(wanted.getMetadata().getLabels());
                    found.getMetadata().setLabels(labels);
                    return found;
                }));
    }
}
