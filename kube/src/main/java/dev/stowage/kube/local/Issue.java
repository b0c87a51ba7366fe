package dev.stowage.kube.local;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/** One thing that is wrong with a volume or a pool. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Issue(
        @JsonPropertyDescription("DEGRADED, INACCESSIBLE or DATA_LOSS for a volume, DEGRADED or UNREACHABLE for a pool")
        String status,

        @JsonPropertyDescription("One word for machines") String reason,

        @JsonPropertyDescription("What is wrong and what to do, for people")
        String message) {}
