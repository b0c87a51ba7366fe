package dev.stowage.kube.vsc;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How full an array is, by its own thresholds; in the order of urgency. */
public enum CapacityMode {
    @JsonProperty("normal")
    NORMAL,
    @JsonProperty("alert")
    ALERT,
    @JsonProperty("protected")
    PROTECTED,
    @JsonProperty("emergency")
    EMERGENCY;

    public CapacityMode worse(CapacityMode other) {
        return compareTo(other) < 0 ? other : this;
    }
}
