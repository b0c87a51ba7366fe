package dev.stowage.kube.local;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** Why something failed. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Failure(
        @JsonPropertyDescription(
                "The kind of failure: InvalidRequest, NotFound, AlreadyExists, Busy, NotPossible, Exhausted,"
                        + " OutOfRange, Unavailable or Internal")
        String reason,

        @JsonPropertyDescription("What was tried, why it failed and the way out, for people")
        String message) {}
