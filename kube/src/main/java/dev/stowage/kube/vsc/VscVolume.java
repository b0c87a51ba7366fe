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

/** A volume on an array; its name is the volume handle. */
@Group(VscResources.GROUP)
@Version(VscResources.VERSION)
@Kind("Volume")
@Singular("volume")
@Plural("volumes")
@AdditionalPrinterColumn(
        name = "Display Name",
        jsonPath = ".spec.displayName",
        type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Status", jsonPath = ".status.state", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Type", jsonPath = ".spec.volumeType", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Capacity", jsonPath = ".spec.size", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "VPSA", jsonPath = ".status.VPSAID", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "VPSA Volume ID",
        jsonPath = ".status.ID",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = VscResources.WIDE)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class VscVolume extends CustomResource<VscVolume.Spec, VscVolume.Status> {

    @Override
    protected Spec initSpec() {
        return Spec.NONE;
    }

    @Override
    protected Status initStatus() {
        return Status.NONE;
    }

    public enum State {
        @JsonProperty("Creating")
        CREATING,
        @JsonProperty("Provisioning")
        PROVISIONING,
        @JsonProperty("Cloning")
        CLONING,
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
            @Required
            @JsonProperty("VSCStorageClassName")
            @JsonPropertyDescription("The VSCStorageClass of whose members one holds it")
            String vscStorageClassName,

            @Required @JsonPropertyDescription("Its name on the array")
            String displayName,

            @JsonPropertyDescription("The comment on the array") @Nullable
            String description,

            @Required @JsonPropertyDescription("Its size") Quantity size,

            @Required @JsonPropertyDescription("NAS or Block")
            VolumeType volumeType,

            @JsonPropertyDescription("What the array does with its data, before what its class says") @Nullable
            VolumeFlags flags,

            @JsonPropertyDescription("What it starts as a copy of") @Nullable
            Source source) {

        static final Spec NONE = new Spec("", "", null, new Quantity("0"), VolumeType.NAS, null, null);
    }

    /** Exactly one of the two. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Source(
            @JsonPropertyDescription("A Volume") @Nullable String volumeName,
            @JsonPropertyDescription("A Snapshot") @Nullable String snapshotName) {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Nas(
            @JsonProperty("NFSExportPath") @JsonInclude @JsonPropertyDescription("What a mount names")
            String nfsExportPath,

            @JsonPropertyDescription("The array makes it larger when it becomes full")
            boolean autoExpandEnabled) {

        public Nas {
            nfsExportPath = orEmpty(nfsExportPath);
        }
    }

    /** Nothing that the array tells. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Block() {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Status(
            @Required
            @JsonPropertyDescription("Creating; Provisioning or Cloning; Ready; Deleting; Failed")
            @UnknownIsNone
            @Nullable
            State state,

            @JsonProperty("VPSAID") @JsonInclude @JsonPropertyDescription("The VPSA that holds it")
            String vpsaId,

            @JsonProperty("ID") @JsonInclude @JsonPropertyDescription("Its id on the array, like volume-00000001")
            String id,

            @JsonProperty("CGID")
            @JsonInclude
            @JsonPropertyDescription("The id of its consistency group on the array, like cg-00000001")
            String cgId,

            @JsonProperty("poolID")
            @JsonInclude
            @JsonPropertyDescription("The id of its pool on the array, like pool-00000001")
            String poolId,

            @JsonProperty("NAS") @JsonPropertyDescription("What a NAS volume has") @Nullable
            Nas nas,

            @JsonProperty("Block") @JsonPropertyDescription("What a block volume has") @Nullable
            Block block,

            @JsonPropertyDescription("What went wrong or what is awaited, for people") @Nullable
            String message) {

        public static final Status NONE = new Status(null, "", "", "", "", null, null, null);

        public Status {
            vpsaId = orEmpty(vpsaId);
            id = orEmpty(id);
            cgId = orEmpty(cgId);
            poolId = orEmpty(poolId);
        }

        public Status in(State now, @Nullable String why) {
            return new Status(now, vpsaId, id, cgId, poolId, nas, block, why);
        }
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
