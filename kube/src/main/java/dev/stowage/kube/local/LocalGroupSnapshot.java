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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Snapshots of several volumes of one node, taken at one instant. */
@Group(LocalResources.GROUP)
@Version(LocalResources.VERSION)
@Kind("LocalGroupSnapshot")
@Singular("localgroupsnapshot")
@Plural("localgroupsnapshots")
@ShortNames("lgsnap")
@AdditionalSelectableField(jsonPath = ".spec.node")
@AdditionalSelectableField(jsonPath = ".status.groupSnapshotId")
@AdditionalPrinterColumn(name = "Request", jsonPath = ".spec.name", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Node", jsonPath = ".spec.node", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Error", jsonPath = ".status.error.reason", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Id", jsonPath = ".status.groupSnapshotId", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Driver",
        jsonPath = LocalResources.DRIVER_PATH,
        type = AdditionalPrinterColumn.Type.STRING,
        priority = LocalResources.WIDE)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class LocalGroupSnapshot extends CustomResource<LocalGroupSnapshot.Spec, LocalGroupSnapshot.Status> {

    @Override
    protected Spec initSpec() {
        return new Spec("", "", List.of(), Map.of(), 0, false);
    }

    @Override
    protected Status initStatus() {
        return new Status(null, null, List.of(), 0, null);
    }

    @ValidationRule(
            value = "self.node == oldSelf.node && self.name == oldSelf.name",
            message = "a group snapshot keeps its node and its name")
    @ValidationRule(value = "self.attempt >= oldSelf.attempt", message = "attempts only rise")
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Spec(
            @Required @JsonPropertyDescription("The node whose pool holds the volumes and their snapshots")
            String node,

            @Required @JsonPropertyDescription("The name under which the group snapshot was asked for")
            String name,

            @Required @JsonPropertyDescription("The ids of the volumes it is taken of")
            List<String> sourceVolumeIds,

            @JsonPropertyDescription("The parameters of its VolumeGroupSnapshotClass")
            Map<String, String> parameters,

            @Required
            @JsonPropertyDescription("The number of the present wish; status.attempt says which one was answered")
            long attempt,

            @JsonPropertyDescription("The group snapshot shall be gone, with all its members")
            boolean delete)
            implements Order {

        public Spec {
            sourceVolumeIds = Lists.orEmpty(sourceVolumeIds);
            parameters = Lists.orEmpty(parameters);
        }

        public Spec next(boolean deletion) {
            return new Spec(node, name, sourceVolumeIds, parameters, attempt + 1, deletion);
        }

        @Override
        @JsonIgnore
        public boolean wantsDeletion() {
            return delete;
        }
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Member(
            @JsonPropertyDescription("The id of the snapshot")
            String snapshotId,

            @JsonPropertyDescription("The id of the volume it was taken of")
            String sourceVolumeId,

            @JsonPropertyDescription("The least size of a volume made from it")
            long sizeBytes) {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Status(
            @JsonPropertyDescription("The id of the group snapshot") @Nullable
            String groupSnapshotId,

            @JsonPropertyDescription("When it was taken") @Nullable
            String takenAt,

            @JsonPropertyDescription("The snapshots it consists of")
            List<Member> members,

            @JsonPropertyDescription("The wish that this status answers")
            long attempt,

            @JsonPropertyDescription("Why that wish was not fulfilled") @Nullable
            Failure error)
            implements Outcome {

        public Status {
            members = Lists.orEmpty(members);
        }

        @Override
        @JsonIgnore
        public Optional<String> made() {
            return Optional.ofNullable(groupSnapshotId);
        }
    }
}
