package dev.stowage.kube.local;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** A condition as Kubernetes' tools know them. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record HealthCondition(
        @JsonPropertyDescription("Healthy") String type,

        @JsonPropertyDescription("True, False, or Unknown when the node does not answer")
        String status,

        @JsonPropertyDescription("The reasons of what is wrong, or NothingWrong")
        String reason,

        @JsonPropertyDescription("What is wrong and what to do, for people")
        String message,

        @JsonPropertyDescription("Since when it is so") String lastTransitionTime) {

    public static final String HEALTHY = "Healthy";
}
