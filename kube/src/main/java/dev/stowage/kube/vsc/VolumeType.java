package dev.stowage.kube.vsc;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How a volume is used: through NFS, or as a device over iSCSI. */
public enum VolumeType {
    NAS,
    @JsonProperty("Block")
    BLOCK
}
