package dev.stowage.manager.apply;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What cannot change in a DaemonSet or Deployment that is there already, and what better does not: each change restarts pods. */
final class Workloads {

    private Workloads() {}

    static Optional<PodTemplateSpec> template(HasMetadata object) {
        return switch (object) {
            case DaemonSet set -> Optional.ofNullable(set.getSpec().getTemplate());
            case Deployment deployment ->
                Optional.ofNullable(deployment.getSpec().getTemplate());
            default -> Optional.empty();
        };
    }

    private static Optional<LabelSelector> selector(HasMetadata object) {
        return switch (object) {
            case DaemonSet set -> Optional.ofNullable(set.getSpec().getSelector());
            case Deployment deployment ->
                Optional.ofNullable(deployment.getSpec().getSelector());
            default -> Optional.empty();
        };
    }

    /** The selector can never change, and the pods have to match it. */
    static void keepSelector(HasMetadata candidate, HasMetadata present) {
        selector(present).ifPresent(selector -> {
            switch (candidate) {
                case DaemonSet set -> set.getSpec().setSelector(selector);
                case Deployment deployment -> deployment.getSpec().setSelector(selector);
                default -> throw new IllegalArgumentException(candidate.getKind() + " has no selector");
            }
            template(candidate).ifPresent(template -> {
                var metadata = Objects.requireNonNullElseGet(template.getMetadata(), ObjectMeta::new);
                metadata.setLabels(joined(metadata.getLabels(), selector.getMatchLabels()));
                template.setMetadata(metadata);
            });
        });
    }

    /** Whether its pods were never marked as ours, as those of an adopted driver are not. */
    static boolean unmarked(HasMetadata present, Ownership ownership) {
        return template(present)
                .map(template -> !labels(template).containsKey(ownership.label()))
                .orElse(false);
    }

    /** Pods that lack nothing but our marks go on without them. */
    static void withoutMarks(HasMetadata candidate, Ownership ownership) {
        template(candidate).ifPresent(template -> {
            var labels = new HashMap<>(labels(template));
            var selected =
                    selector(candidate).map(LabelSelector::getMatchLabels).orElse(Map.of());
            labels.keySet().removeIf(label -> label.startsWith(ownership.prefix()) && !selected.containsKey(label));
            template.getMetadata().setLabels(labels);
        });
    }

    private static Map<String, String> labels(PodTemplateSpec template) {
        return template.getMetadata() == null || template.getMetadata().getLabels() == null
                ? Map.of()
                : template.getMetadata().getLabels();
    }

    private static Map<String, String> joined(Map<String, String> one, Map<String, String> other) {
        var all = new HashMap<String, String>();
        if (one != null) {
            all.putAll(one);
        }
        if (other != null) {
            all.putAll(other);
        }
        return all;
    }
}
