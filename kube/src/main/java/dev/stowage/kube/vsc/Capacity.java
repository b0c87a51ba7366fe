package dev.stowage.kube.vsc;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.Quantity;
import org.jspecify.annotations.Nullable;

/** The physical room of an array, or of all arrays of a class. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record Capacity(
        @Required @JsonPropertyDescription("What all pools hold")
        Quantity total,

        @Required @JsonPropertyDescription("What is left of it")
        Quantity available,

        @JsonPropertyDescription("normal, alert, protected or emergency; of a class the worst of its members")
        @UnknownIsNone
        @Nullable
        CapacityMode mode) {}
