package dev.stowage.manager.beside;

import dev.stowage.kube.Digest;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.NodeAffinityBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TolerationBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes the pod for a node of a template.
 *
 * @param digest the annotation that tells of which template a pod was made
 * @param manager by which name the API server knows who makes it
 */
public record Placement(KubernetesSerialization serialization, String digest, String manager) {

    /** On every pod: the node that it is for, which it does not have before it is scheduled. */
    public static final String NODE = "storage.stowage.dev/node";

    /**
     * A pod for one node, with the standing of a DaemonSet's: it comes and stays while the node is cordoned, short of something or not ready, and
     * while another driver is restarted there.
     *
     * @param metadata its own; labels and annotations of the template come to it
     */
    public Pod pod(String node, ObjectMeta metadata, PodTemplateSpec template) {
        var spec = new PodSpecBuilder(template.getSpec())
                .withAffinity(onlyOn(node, template.getSpec().getAffinity()))
                .withTolerations(tolerations(template))
                .withRestartPolicy("Always")
                .build();
        var given = Objects.requireNonNullElseGet(template.getMetadata(), ObjectMeta::new);
        // Its own come last: by them it is found again.
        var whole = new ObjectMetaBuilder(metadata)
                .addToLabels(given.getLabels())
                .addToLabels(metadata.getLabels())
                .addToAnnotations(given.getAnnotations())
                .addToAnnotations(metadata.getAnnotations())
                .addToAnnotations(NODE, node)
                .build();
        var all = Map.of(
                "metadata",
                new ObjectMetaBuilder(whole).withOwnerReferences(List.of()).build(),
                "spec",
                spec);
        String wish = Digest.ofTree(serialization.convertValue(all, Map.class));
        return new PodBuilder()
                .withMetadata(new ObjectMetaBuilder(whole)
                        .addToAnnotations(digest, wish)
                        .build())
                .withSpec(spec)
                .build();
    }

    /** What the template says, and what Kubernetes adds for pods of DaemonSets. */
    public static List<Toleration> tolerations(PodTemplateSpec template) {
        var all = new ArrayList<Toleration>();
        all.addAll(Objects.requireNonNullElse(template.getSpec().getTolerations(), List.<Toleration>of()));
        for (String condition : List.of("not-ready", "unreachable")) {
            all.add(of(condition, "NoExecute"));
        }
        for (String condition : List.of("disk-pressure", "memory-pressure", "pid-pressure", "unschedulable")) {
            all.add(of(condition, "NoSchedule"));
        }
        if (Boolean.TRUE.equals(template.getSpec().getHostNetwork())) {
            all.add(of("network-unavailable", "NoSchedule"));
        }
        all.add(exists(CsiDriverDeployment.RESTARTING, "NoSchedule"));
        return all.stream().distinct().toList();
    }

    private static Toleration of(String condition, String effect) {
        return exists("node.kubernetes.io/" + condition, effect);
    }

    private static Toleration exists(String key, String effect) {
        return new TolerationBuilder()
                .withKey(key)
                .withOperator("Exists")
                .withEffect(effect)
                .build();
    }

    private static Affinity onlyOn(String node, @Nullable Affinity given) {
        var affinity = new AffinityBuilder(Objects.requireNonNullElseGet(given, Affinity::new));
        return affinity.withNodeAffinity(new NodeAffinityBuilder()
                        .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                        .addNewNodeSelectorTerm()
                        .addNewMatchField()
                        .withKey("metadata.name")
                        .withOperator("In")
                        .withValues(node)
                        .endMatchField()
                        .endNodeSelectorTerm()
                        .endRequiredDuringSchedulingIgnoredDuringExecution()
                        .build())
                .build();
    }

    /** The node that a pod is for. */
    public static Optional<String> node(Pod pod) {
        return annotation(pod, NODE);
    }

    /** Whether a pod was made here, whatever its labels say by now. */
    boolean isOurs(Pod pod) {
        return annotation(pod, digest).isPresent() && node(pod).isPresent();
    }

    /** Of which template it was made; empty when that is not known. */
    private String wish(Pod pod) {
        return annotation(pod, digest).orElse("");
    }

    /** What a pod has in common with those of the same template for other nodes. */
    String template(Pod pod) {
        var common = Map.of(
                "namespace",
                pod.getMetadata().getNamespace(),
                "labels",
                Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.<String, String>of()),
                "spec",
                new PodSpecBuilder(pod.getSpec()).withAffinity(null).build());
        return Digest.ofTree(serialization.convertValue(common, Map.class));
    }

    /** Whether a pod is what is wished: made of the same template, and as it was made. */
    public boolean isCurrent(Pod pod, Pod wished) {
        return wish(wished).equals(wish(pod)) && edits(pod, wished).changes().isEmpty();
    }

    /** What somebody has made of a pod of this template; nothing when it is of another one. */
    Edits edits(Pod pod, Pod wished) {
        return wish(wished).equals(wish(pod)) ? Edits.of(pod, wished, serialization, manager) : Edits.NONE;
    }

    private static Optional<String> annotation(Pod pod, String name) {
        var annotations = pod.getMetadata().getAnnotations();
        return annotations == null ? Optional.empty() : Optional.ofNullable(annotations.get(name));
    }
}
