package dev.stowage.kube.local;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalSelectableField;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A snapshot in the pool of one node. */
@Group(LocalResources.GROUP)
@Version(LocalResources.VERSION)
@Kind("LocalSnapshot")
@Singular("localsnapshot")
@Plural("localsnapshots")
@ShortNames("lsnap")
@AdditionalSelectableField(jsonPath = ".spec.node")
@AdditionalSelectableField(jsonPath = ".status.snapshotId")
@AdditionalPrinterColumn(name = "Request", jsonPath = ".spec.name", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Node", jsonPath = ".spec.node", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Source", jsonPath = ".spec.sourceVolumeId", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Bytes", jsonPath = ".status.sizeBytes", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Error", jsonPath = ".status.error.reason", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Id", jsonPath = ".status.snapshotId", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Driver",
        jsonPath = LocalResources.DRIVER_PATH,
        type = AdditionalPrinterColumn.Type.STRING,
        priority = LocalResources.WIDE)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class LocalSnapshot extends CustomResource<LocalSnapshot.Spec, LocalSnapshot.Status> {

    @Override
    protected Spec initSpec() {
        return new Spec("", "", "", Map.of(), 0, false);
    }

    @Override
    protected Status initStatus() {
        return new Status(null, 0, null, 0, null);
    }

    @ValidationRule(
            value =
                    "self.node == oldSelf.node && self.name == oldSelf.name && self.sourceVolumeId == oldSelf.sourceVolumeId",
            message = "a snapshot keeps its node, its name and its source")
    @ValidationRule(value = "self.attempt >= oldSelf.attempt", message = "attempts only rise")
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Spec(
            @Required @JsonPropertyDescription("The node whose pool holds the snapshot")
            String node,

            @Required @JsonPropertyDescription("The name under which the snapshot was asked for")
            String name,

            @Required @JsonPropertyDescription("The id of the volume it is taken of")
            String sourceVolumeId,

            @JsonPropertyDescription("The parameters of its VolumeSnapshotClass")
            Map<String, String> parameters,

            @Required
            @JsonPropertyDescription("The number of the present wish; status.attempt says which one was answered")
            long attempt,

            @JsonPropertyDescription("The snapshot shall be gone, with its data")
            boolean delete)
            implements Order {

        public Spec {
            parameters = Lists.orEmpty(parameters);
        }

        public Spec next(boolean deletion) {
            return new Spec(node, name, sourceVolumeId, parameters, attempt + 1, deletion);
        }

        @Override
        @JsonIgnore
        public boolean wantsDeletion() {
            return delete;
        }
    }

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Status(
            @JsonPropertyDescription("The id of the snapshot, which is the snapshotHandle of its VolumeSnapshotContent")
            @Nullable
            String snapshotId,

            @JsonPropertyDescription("The least size of a volume made from it")
            long sizeBytes,

            @JsonPropertyDescription("When it was taken") @Nullable
            String takenAt,

            @JsonPropertyDescription("The wish that this status answers")
            long attempt,

            @JsonPropertyDescription("Why that wish was not fulfilled") @Nullable
            Failure error)
            implements Outcome {

        @Override
        @JsonIgnore
        public Optional<String> made() {
            return Optional.ofNullable(snapshotId);
        }
    }
}
