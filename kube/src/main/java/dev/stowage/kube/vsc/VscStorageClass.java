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

/** Several arrays from which one is chosen for each volume. */
@Group(VscResources.GROUP)
@Version(VscResources.VERSION)
@Kind("VSCStorageClass")
@Singular("vscstorageclass")
@Plural("vscstorageclasses")
@ShortNames("vscsc")
@AdditionalPrinterColumn(name = "Status", jsonPath = ".status.state", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Default", jsonPath = ".spec.isDefault", type = AdditionalPrinterColumn.Type.BOOLEAN)
@AdditionalPrinterColumn(
        name = "Members",
        jsonPath = ".status.counters.VPSA",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "Capacity Mode",
        jsonPath = ".status.capacity.mode",
        type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Total",
        jsonPath = ".status.capacity.total",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = VscResources.WIDE)
@AdditionalPrinterColumn(
        name = "Available",
        jsonPath = ".status.capacity.available",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = VscResources.WIDE)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class VscStorageClass extends CustomResource<VscStorageClass.Spec, VscStorageClass.Status> {

    @Override
    protected Spec initSpec() {
        return new Spec("", null, false, null);
    }

    @Override
    protected Status initStatus() {
        return Status.NONE;
    }

    public enum State {
        @JsonProperty("Creating")
        CREATING,
        @JsonProperty("Ready")
        READY,
        @JsonProperty("Failed")
        FAILED,
        @JsonProperty("Deleting")
        DELETING
    }

    @PreserveUnknownFields
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Spec(
            @Required @JsonPropertyDescription("A name for people")
            String displayName,

            @JsonPropertyDescription("For people") @Nullable String description,

            @JsonProperty("isDefault")
            @JsonPropertyDescription(
                    "Used for every StorageClass without the parameter VSCStorageClassName; of one class only")
            boolean isDefault,

            @JsonPropertyDescription("What the arrays do with the data of new volumes") @Nullable
            VolumeFlags volumeFlags) {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Counters(
            @Required @JsonProperty("VPSA") @JsonPropertyDescription("How many arrays are members")
            int vpsa,

            @Required @JsonPropertyDescription("How many pools they have")
            int pools,

            @Required @JsonPropertyDescription("How many volumes they hold")
            int volumes,

            @Required @JsonPropertyDescription("How many snapshots they hold")
            int snapshots) {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Status(
            @Required
            @JsonPropertyDescription("Ready, also without members; Failed when no member is of use")
            @UnknownIsNone
            @Nullable
            State state,

            @JsonPropertyDescription("The sum of the members") @Nullable
            Capacity capacity,

            @JsonPropertyDescription("The sum of the members") @Nullable
            Counters counters,

            @JsonPropertyDescription("What went wrong or what is awaited, for people") @Nullable
            String message) {

        public static final Status NONE = new Status(null, null, null, null);

        public Status in(State now, @Nullable String why) {
            return new Status(now, capacity, counters, why);
        }
    }
}
