package dev.stowage.kube.vsc;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;

/** How full an array is, by its own thresholds; in the order of urgency. */
@JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
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
