package dev.stowage.kube.local;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a node made of an order. */
public interface Outcome {

    /** The wish that this answers, zero when none has been answered yet. */
    long attempt();

    /** Why that wish could not be fulfilled. */
    @Nullable
    Failure error();

    /** The id of what was made, empty as long as nothing was. */
    @JsonIgnore
    Optional<String> made();
}
