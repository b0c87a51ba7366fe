package dev.stowage.kube.vsc;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** A volume that a node may use; its name is that of the volume, a dot and that of the node. */
@Group(VscResources.GROUP)
@Version(VscResources.VERSION)
@Kind("VolumeAttachment")
@Singular("volumeattachment")
@Plural("volumeattachments")
@ShortNames("vas")
@AdditionalPrinterColumn(name = "Status", jsonPath = ".status.state", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "ISCSI",
        jsonPath = ".status.Block.ISCSIStatus",
        type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Volume", jsonPath = ".spec.volumeName", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "VSCNode", jsonPath = ".spec.VSCNodeName", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class VscVolumeAttachment extends CustomResource<VscVolumeAttachment.Spec, VscVolumeAttachment.Status> {

    @Override
    protected Spec initSpec() {
        return new Spec("", "", AttachType.NFS, false);
    }

    @Override
    protected Status initStatus() {
        return Status.NONE;
    }

    public enum AttachType {
        NFS,
        ISCSI
    }

    public enum State {
        @JsonProperty("Creating")
        CREATING,
        @JsonProperty("Attaching")
        ATTACHING,
        @JsonProperty("ISCSILoginPending")
        ISCSI_LOGIN_PENDING,
        @JsonProperty("Ready")
        READY,
        @JsonProperty("Detaching")
        DETACHING,
        @JsonProperty("Deleting")
        DELETING,
        @JsonProperty("Failed")
        FAILED
    }

    @PreserveUnknownFields
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Spec(
            @Required @JsonPropertyDescription("The Volume") String volumeName,

            @Required @JsonProperty("VSCNodeName") @JsonPropertyDescription("The VSCNode")
            String vscNodeName,

            @Required @JsonPropertyDescription("NFS or ISCSI")
            AttachType attachType,

            @Required @JsonPropertyDescription("Writes are refused")
            boolean readOnly) {}

    /** What the node logs in to. Of an NFS attachment only the iSCSI status is of interest, which says that there is none. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Block(
            @JsonInclude @JsonPropertyDescription("The name of the iSCSI target")
            String target,

            @JsonPropertyDescription("The number of the unit in the target")
            int lun,

            @JsonProperty("ISCSIStatus") @JsonPropertyDescription("Active, Disconnected, or N/A (NAS)") @Nullable
            String iscsiStatus) {

        public static final String ACTIVE = "Active";
        public static final String DISCONNECTED = "Disconnected";

        /** There is no session to an NFS volume. */
        public static final Block OF_NAS = new Block("", 0, "N/A (NAS)");

        public Block {
            target = target == null ? "" : target;
        }
    }

    /** Nothing that the array tells. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Nas() {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Status(
            @Required
            @JsonPropertyDescription(
                    "Creating, Attaching, ISCSILoginPending until the node has logged in, Ready; Detaching, Deleting; Failed")
            @UnknownIsNone
            @Nullable
            State state,

            @JsonProperty("VPSAServerID")
            @JsonPropertyDescription(
                    "The id of the server record on the array, like srv-00000001; one record serves all volumes of a node")
            @Nullable
            String vpsaServerId,

            @JsonProperty("Block") @JsonPropertyDescription("What a block attachment has") @Nullable
            Block block,

            @JsonProperty("NAS") @JsonPropertyDescription("What an NFS attachment has") @Nullable
            Nas nas,

            @JsonPropertyDescription("What went wrong or what is awaited, for people") @Nullable
            String message) {

        public static final Status NONE = new Status(null, null, null, null, null);

        public Status in(State now, @Nullable String why) {
            return new Status(now, vpsaServerId, block, nas, why);
        }
    }
}
