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
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import org.jspecify.annotations.Nullable;

/** An array, and the class that it is a member of. */
@Group(VscResources.GROUP)
@Version(VscResources.VERSION)
@Kind("VPSA")
@Singular("vpsa")
@Plural("vpsas")
@AdditionalPrinterColumn(name = "Status", jsonPath = ".status.state", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Display Name",
        jsonPath = ".spec.displayName",
        type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Hostname",
        jsonPath = ".spec.hostname",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = VscResources.WIDE)
@AdditionalPrinterColumn(
        name = "Version",
        jsonPath = ".status.version.softwareVersion",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = VscResources.WIDE)
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
        name = "VSC",
        jsonPath = ".spec.VSCStorageClassName",
        type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class Vpsa extends CustomResource<Vpsa.Spec, Vpsa.Status> {

    @Override
    protected Spec initSpec() {
        return new Spec("", "", null, null, null);
    }

    @Override
    protected Status initStatus() {
        return Status.NONE;
    }

    public enum State {
        @JsonProperty("Configuring")
        CONFIGURING,
        @JsonProperty("Importing")
        IMPORTING,
        @JsonProperty("Ready")
        READY,
        @JsonProperty("Incompatible")
        INCOMPATIBLE,
        @JsonProperty("Unreachable")
        UNREACHABLE,
        @JsonProperty("Failed")
        FAILED,
        @JsonProperty("Deleting")
        DELETING
    }

    @PreserveUnknownFields
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Spec(
            @Required
            @JsonProperty("VSCStorageClassName")
            @JsonPropertyDescription("The VSCStorageClass that the array is a member of")
            String vscStorageClassName,

            @Required @JsonPropertyDescription("A name for people")
            String displayName,

            @JsonPropertyDescription("For people") @Nullable String description,

            @JsonPropertyDescription(
                    "The name or the address of the array, with a port after a colon if it is not the usual one")
            @Nullable
            String hostname,

            @JsonPropertyDescription(
                    "The access key of the REST API; written in plain, it is replaced by its encrypted form")
            @Nullable
            String token) {

        public Spec withToken(String encrypted) {
            return new Spec(vscStorageClassName, displayName, description, hostname, encrypted);
        }

        /** Without the token, which may still be a plain one. */
        @Override
        public String toString() {
            return "Spec[vscStorageClassName=" + vscStorageClassName + ", displayName=" + displayName + ", hostname="
                    + hostname + "]";
        }
    }

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Counters(
            @Required @JsonPropertyDescription("How many pools the array has")
            int pools,

            @Required @JsonPropertyDescription("How many volumes it holds")
            int volumes,

            @Required @JsonPropertyDescription("How many snapshots it holds")
            int snapshots) {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record SoftwareVersion(
            @JsonPropertyDescription("The version of what runs on the array, like 22.06-sp1-123") @Nullable
            String softwareVersion) {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Status(
            @Required
            @JsonPropertyDescription(
                    "Configuring, Importing, then Ready; Incompatible, Unreachable and Failed say what is wrong")
            @UnknownIsNone
            @Nullable
            State state,

            @JsonProperty("IQN") @JsonPropertyDescription("The name of its iSCSI target") @Nullable
            String iqn,

            @JsonProperty("CHAPUser") @JsonPropertyDescription("The name by which initiators log in") @Nullable
            String chapUser,

            @JsonProperty("CHAPSecret") @JsonPropertyDescription("The secret that goes with it, encrypted") @Nullable
            String chapSecret,

            @JsonProperty("ExternalManageToken")
            @JsonPropertyDescription("The access key of the user who manages volumes from outside, encrypted")
            @Nullable
            String externalManageToken,

            @JsonProperty("LegacyVPSA")
            @JsonPropertyDescription("Its software is too old to mark volumes as managed from outside")
            @Nullable
            Boolean legacyVpsa,

            @JsonPropertyDescription("Its room") @Nullable Capacity capacity,

            @JsonPropertyDescription("What it holds") @Nullable
            Counters counters,

            @JsonPropertyDescription("What runs on it") @Nullable
            SoftwareVersion version,

            @JsonPropertyDescription("When the array was last asked and answered") @Nullable
            String lastSync,

            @JsonPropertyDescription("What went wrong or what is awaited, for people") @Nullable
            String message) {

        public static final Status NONE = new Status(null, null, null, null, null, null, null, null, null, null, null);

        public Status in(State now, @Nullable String why) {
            return new Status(
                    now,
                    iqn,
                    chapUser,
                    chapSecret,
                    externalManageToken,
                    legacyVpsa,
                    capacity,
                    counters,
                    version,
                    lastSync,
                    why);
        }

        /** Without the secrets, encrypted as they are. */
        @Override
        public String toString() {
            return "Status[state=" + state + ", iqn=" + iqn + ", capacity=" + capacity + ", counters=" + counters
                    + ", version=" + version + ", lastSync=" + lastSync + ", message=" + message + "]";
        }
    }
}
