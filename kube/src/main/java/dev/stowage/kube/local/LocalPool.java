package dev.stowage.kube.local;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pool of one driver on one node. The node makes it and keeps it true. The pool of the driver of the default name is named after its
 * node.
 */
@Group(LocalResources.GROUP)
@Version(LocalResources.VERSION)
@Kind("LocalPool")
@Singular("localpool")
@Plural("localpools")
@ShortNames("lpool")
@AdditionalPrinterColumn(name = "Node", jsonPath = ".spec.node", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Bytes",
        jsonPath = ".status.capacityBytes",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "Available",
        jsonPath = ".status.availableThinBytes",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "Promised",
        jsonPath = ".status.promisedBytes",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "Issue",
        jsonPath = ".status.issues[0].reason",
        type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Version", jsonPath = ".status.version", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Driver",
        jsonPath = LocalResources.DRIVER_PATH,
        type = AdditionalPrinterColumn.Type.STRING,
        priority = LocalResources.WIDE)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class LocalPool extends CustomResource<LocalPool.Spec, LocalPool.Status> {

    @Override
    protected Spec initSpec() {
        return new Spec("");
    }

    @Override
    protected Status initStatus() {
        return new Status(Map.of(), 0, 0, 0, 0, 0, 0, List.of(), null, null);
    }

    @ValidationRule(value = "self.node == oldSelf.node", message = "a pool keeps its node")
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Spec(
            @Required @JsonPropertyDescription("The node that the pool is on")
            String node) {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Status(
            @JsonPropertyDescription("Where the pool's volumes can be used")
            Map<String, String> topology,

            @JsonPropertyDescription("The size of the pool") long capacityBytes,

            @JsonPropertyDescription("What volumes and snapshots could come to take")
            long promisedBytes,

            @JsonPropertyDescription("What may be promised in all")
            long mayPromiseBytes,

            @JsonPropertyDescription("The largest thin volume that could be made now")
            long availableThinBytes,

            @JsonPropertyDescription("The largest thick volume that could be made now")
            long availableThickBytes,

            @JsonPropertyDescription("How many volumes may be attached to the node, 0 for no limit")
            long mostVolumes,

            @JsonPropertyDescription("What is wrong with the pool")
            List<Issue> issues,

            @JsonPropertyDescription(
                    "What is in the pool though no resource asks for it; a person decides what becomes of it")
            @Nullable
            Unclaimed unclaimed,

            @JsonPropertyDescription("The version of the driver on the node") @Nullable
            String version) {

        public Status {
            topology = Lists.orEmpty(topology);
            issues = Lists.orEmpty(issues);
        }
    }

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Unclaimed(
            @JsonPropertyDescription("Ids of volumes") List<String> volumes,

            @JsonPropertyDescription("Ids of snapshots") List<String> snapshots,

            @JsonPropertyDescription("Ids of group snapshots")
            List<String> groupSnapshots) {
        public Unclaimed {
            volumes = Lists.orEmpty(volumes);
            snapshots = Lists.orEmpty(snapshots);
            groupSnapshots = Lists.orEmpty(groupSnapshots);
        }
    }
}
