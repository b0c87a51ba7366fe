package dev.stowage.kube.vsc;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;

/** How a volume is used: through NFS, or as a device over iSCSI. */
@JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
public enum VolumeType {
    NAS,
    @JsonProperty("Block")
    BLOCK
}
