package dev.stowage.kube.vsc;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** A snapshot on an array; its name is the snapshot handle. */
@Group(VscResources.GROUP)
@Version(VscResources.VERSION)
@Kind("Snapshot")
@Singular("snapshot")
@Plural("snapshots")
@AdditionalPrinterColumn(name = "Status", jsonPath = ".status.state", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Volume", jsonPath = ".spec.volumeID", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class VscSnapshot extends CustomResource<VscSnapshot.Spec, VscSnapshot.Status> {

    @Override
    protected Spec initSpec() {
        return new Spec("", null, "");
    }

    @Override
    protected Status initStatus() {
        return Status.NONE;
    }

    public enum State {
        @JsonProperty("Creating")
        CREATING,
        @JsonProperty("TakingSnapshot")
        TAKING_SNAPSHOT,
        @JsonProperty("Ready")
        READY,
        @JsonProperty("Deleting")
        DELETING,
        @JsonProperty("Failed")
        FAILED
    }

    @PreserveUnknownFields
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Spec(
            @Required @JsonPropertyDescription("Its name on the array")
            String displayName,

            @JsonPropertyDescription("The comment on the array") @Nullable
            String description,

            @Required @JsonProperty("volumeID") @JsonPropertyDescription("The Volume that it is taken of")
            String volumeId) {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Status(
            @JsonPropertyDescription("Creating, TakingSnapshot, Ready; Deleting; Failed") @UnknownIsNone @Nullable
            State state,

            @JsonPropertyDescription("The size of the volume when it was taken, and of each volume made from it")
            @Nullable
            Quantity size,

            @JsonPropertyDescription("When it was taken") @Nullable
            String createdTimestamp,

            @JsonProperty("VPSAID") @JsonPropertyDescription("The VPSA that holds it") @Nullable
            String vpsaId,

            @JsonProperty("CGID") @JsonPropertyDescription("The id of the consistency group on the array") @Nullable
            String cgId,

            @JsonProperty("poolID") @JsonPropertyDescription("The id of the pool on the array") @Nullable
            String poolId,

            @JsonProperty("VPSAVolumeID") @JsonPropertyDescription("The id of the volume on the array") @Nullable
            String vpsaVolumeId,

            @JsonProperty("VPSASnapshotID")
            @JsonPropertyDescription("Its id on the array, like snap-00000001")
            @Nullable
            String vpsaSnapshotId,

            @JsonPropertyDescription("What went wrong or what is awaited, for people") @Nullable
            String message) {

        public static final Status NONE = new Status(null, null, null, null, null, null, null, null, null);

        public Status in(State now, @Nullable String why) {
            return new Status(now, size, createdTimestamp, vpsaId, cgId, poolId, vpsaVolumeId, vpsaSnapshotId, why);
        }
    }
}
