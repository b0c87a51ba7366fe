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

/** A node as the arrays know it; its name is that of the Kubernetes node. */
@Group(VscResources.GROUP)
@Version(VscResources.VERSION)
@Kind("VSCNode")
@Singular("vscnode")
@Plural("vscnodes")
@AdditionalPrinterColumn(name = "IP", jsonPath = ".spec.NAS.IP", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "IQN", jsonPath = ".spec.block.IQN", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class VscNode extends CustomResource<VscNode.Spec, VscNode.Status> {

    @Override
    protected Spec initSpec() {
        return new Spec("", null, null, null);
    }

    @Override
    protected Status initStatus() {
        return Status.NONE;
    }

    @PreserveUnknownFields
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Spec(
            @Required @JsonPropertyDescription("A name for people")
            String displayName,

            @JsonPropertyDescription("For people") @Nullable String description,

            @JsonProperty("NAS") @JsonPropertyDescription("How it reaches NAS volumes") @Nullable
            Nas nas,

            @JsonPropertyDescription("How it reaches block volumes") @Nullable
            Block block) {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Nas(
            @Required @JsonProperty("IP") @JsonPropertyDescription("Its address in the storage network")
            String ip) {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Block(
            @Required @JsonProperty("IQN") @JsonPropertyDescription("The name of its iSCSI initiator")
            String iqn) {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Status(
            @JsonPropertyDescription("What went wrong or what is awaited, for people") @Nullable
            String message) {

        public static final Status NONE = new Status(null);
    }
}
