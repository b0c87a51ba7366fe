package dev.stowage.manager.apply;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;

/**
 * What became of an object.
 *
 * @param now the object as it is
 * @param written whether it had to be written
 * @param drift what somebody else had made of it; empty when it was as it was left, or when it is new
 * @param culprits who, as far as the API server knows
 */
public record Outcome(HasMetadata now, boolean written, List<Difference> drift, List<String> culprits) {

    static Outcome same(HasMetadata now) {
        return new Outcome(now, false, List.of(), List.of());
    }

    static Outcome written(HasMetadata now) {
        return new Outcome(now, true, List.of(), List.of());
    }
}
