package dev.stowage.manager.apply;

import dev.stowage.kube.Events;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An object that somebody else had changed or deleted.
 *
 * @param by who, as far as the API server knows
 */
public record Restored(String kind, String object, @Nullable String by, List<String> changes) {

    /** @param resource for which the object is there */
    public void tell(Events events, HasMetadata resource) {
        events.warning(
                resource,
                "Restored",
                "%s was changed%s and is restored: %s"
                        .formatted(object, by == null ? "" : " by " + by, String.join("; ", changes)));
    }
}
