package dev.stowage.manager.apply;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Optional;

/** How objects tell for whom they were made. */
public interface Ownership {

    /** The label that all of them have. */
    String label();

    /** How all labels begin that are only there to find the objects by. */
    String prefix();

    /** For whom it was made. */
    Optional<String> owner(HasMetadata object);

    /** The owner, as people call it. */
    String described(String owner);

    /** The value of a label; empty when the object does not have it. */
    static Optional<String> label(HasMetadata object, String name) {
        Map<String, String> labels = object.getMetadata().getLabels();
        return labels == null ? Optional.empty() : Optional.ofNullable(labels.get(name));
    }
}
