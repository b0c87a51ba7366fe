package dev.stowage.manager.apply;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A wish together with what others have noted on the object that is there, which is theirs. */
final class Merging {

    /** By which name the API server knows us. */
    private final String manager;

    Merging(String manager) {
        this.manager = manager;
    }

    /** @param candidate the wish, which is changed */
    void keep(HasMetadata candidate, HasMetadata present) {
        var metadata = candidate.getMetadata();
        var there = present.getMetadata();
        metadata.setResourceVersion(there.getResourceVersion());
        metadata.setLabels(joined(there.getLabels(), metadata.getLabels(), ours(present, "f:labels")));
        metadata.setAnnotations(
                joined(there.getAnnotations(), metadata.getAnnotations(), ours(present, "f:annotations")));
        metadata.setFinalizers(there.getFinalizers());
        if (candidate instanceof ServiceAccount wish && present instanceof ServiceAccount account) {
            // Some clusters put in secrets to pull images with, of every account.
            wish.setSecrets(account.getSecrets());
            wish.setImagePullSecrets(account.getImagePullSecrets());
        }
    }

    /** What we noted once and do not wish any more goes. */
    private static Map<String, String> joined(
            @Nullable Map<String, String> present, @Nullable Map<String, String> wanted, Set<String> ours) {
        var all = new HashMap<String, String>();
        if (present != null) {
            all.putAll(present);
            all.keySet().removeAll(ours);
        }
        if (wanted != null) {
            all.putAll(wanted);
        }
        return all;
    }

    /** The labels or annotations that we have written and nobody else. */
    private Set<String> ours(HasMetadata present, String which) {
        var entries =
                Objects.requireNonNullElse(present.getMetadata().getManagedFields(), List.<ManagedFieldsEntry>of());
        var keys = new HashSet<String>();
        entries.stream()
                .filter(entry -> manager.equals(entry.getManager()))
                .forEach(entry -> keys.addAll(keys(entry, which)));
        entries.stream()
                .filter(entry -> !manager.equals(entry.getManager()))
                .forEach(entry -> keys.removeAll(keys(entry, which)));
        return keys;
    }

    private static Collection<String> keys(ManagedFieldsEntry entry, String which) {
        return entry.getFieldsV1() != null
                        && entry.getFieldsV1().getAdditionalProperties().get("f:metadata") instanceof Map<?, ?> metadata
                        && metadata.get(which) instanceof Map<?, ?> fields
                ? fields.keySet().stream()
                        .map(String::valueOf)
                        .flatMap(key -> key.startsWith("f:") ? Stream.of(key.substring(2)) : Stream.empty())
                        .toList()
                : List.of();
    }
}
