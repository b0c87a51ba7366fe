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

/** A volume in the pool of one node. */
@Group(LocalResources.GROUP)
@Version(LocalResources.VERSION)
@Kind("LocalVolume")
@Singular("localvolume")
@Plural("localvolumes")
@ShortNames("lvol")
@AdditionalSelectableField(jsonPath = ".spec.node")
@AdditionalSelectableField(jsonPath = ".status.volumeId")
@AdditionalPrinterColumn(name = "Request", jsonPath = ".spec.name", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Node", jsonPath = ".spec.node", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Bytes", jsonPath = ".status.sizeBytes", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "Healthy",
        jsonPath = ".status.conditions[?(@.type==\"Healthy\")].status",
        type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Error", jsonPath = ".status.error.reason", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Id", jsonPath = ".status.volumeId", type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
        name = "Driver",
        jsonPath = LocalResources.DRIVER_PATH,
        type = AdditionalPrinterColumn.Type.STRING,
        priority = LocalResources.WIDE)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public final class LocalVolume extends CustomResource<LocalVolume.Spec, LocalVolume.Status> {

    @Override
    protected Spec initSpec() {
        return new Spec("", "", 0, 0, List.of(), Map.of(), Map.of(), null, 0, null, List.of());
    }

    @Override
    protected Status initStatus() {
        return Status.NONE;
    }

    @ValidationRule(
            value = "self.node == oldSelf.node && self.name == oldSelf.name",
            message = "a volume keeps its node and its name")
    @ValidationRule(
            value = "self.requiredBytes == oldSelf.requiredBytes && self.limitBytes == oldSelf.limitBytes",
            message = "the size that was asked for stays; growth is a task")
    @ValidationRule(value = "self.attempt >= oldSelf.attempt", message = "attempts only rise")
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Spec(
            @Required @JsonPropertyDescription("The node whose pool holds the volume")
            String node,

            @Required @JsonPropertyDescription("The name under which the volume was asked for")
            String name,

            @Required @JsonPropertyDescription("The least size that was asked for, 0 for any")
            long requiredBytes,

            @Required @JsonPropertyDescription("The largest size that was asked for, 0 for any")
            long limitBytes,

            @JsonPropertyDescription("How it is to be used") List<Use> uses,

            @JsonPropertyDescription("The parameters of its StorageClass")
            Map<String, String> parameters,

            @JsonPropertyDescription("The parameters of its VolumeAttributesClass when it was made")
            Map<String, String> mutableParameters,

            @JsonPropertyDescription("What it starts as a copy of") @Nullable
            Source source,

            @Required
            @JsonPropertyDescription("The number of the present wish; status.attempt says which one was answered")
            long attempt,

            @JsonPropertyDescription("What is wanted of the volume, once it was made") @Nullable
            Task task,

            @JsonPropertyDescription("The nodes it is attached to")
            List<Attachment> attachments)
            implements Order {

        public Spec {
            uses = Lists.orEmpty(uses);
            parameters = Lists.orEmpty(parameters);
            mutableParameters = Lists.orEmpty(mutableParameters);
            attachments = Lists.orEmpty(attachments);
        }

        /** The next wish: to be made, when {@code wanted} is null, or something else. */
        public Spec next(@Nullable Task wanted) {
            return new Spec(
                    node,
                    name,
                    requiredBytes,
                    limitBytes,
                    uses,
                    parameters,
                    mutableParameters,
                    source,
                    attempt + 1,
                    wanted,
                    attachments);
        }

        public Spec attachedTo(List<Attachment> nodes) {
            return new Spec(
                    node,
                    name,
                    requiredBytes,
                    limitBytes,
                    uses,
                    parameters,
                    mutableParameters,
                    source,
                    attempt,
                    task,
                    nodes);
        }

        @Override
        @JsonIgnore
        public boolean wantsDeletion() {
            return task != null && task.delete();
        }
    }

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Use(
            @JsonPropertyDescription("As a raw device instead of through a filesystem")
            boolean block,

            @JsonPropertyDescription("The filesystem, empty for the default") @Nullable
            String filesystem,

            @JsonPropertyDescription("Mount options") List<String> mountFlags,

            @JsonPropertyDescription("The group that owns what is in it") @Nullable
            Integer group,

            @Required @JsonPropertyDescription("Who may use it at the same time, as CSI names it")
            String mode) {
        public Use {
            mountFlags = Lists.orEmpty(mountFlags);
        }
    }

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Source(
            @JsonPropertyDescription("The id of a snapshot") @Nullable
            String snapshotId,

            @JsonPropertyDescription("The id of a volume") @Nullable
            String volumeId) {}

    /** Exactly one thing to do. */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Task(
            @JsonPropertyDescription("The volume shall be gone, with its data")
            boolean delete,

            @JsonPropertyDescription("The volume shall have at least this size") @Nullable
            Growth growTo,

            @JsonPropertyDescription("These parameters shall have these values")
            Map<String, String> modify) {
        public Task {
            modify = Lists.orEmpty(modify);
        }

        public static Task deletion() {
            return new Task(true, null, Map.of());
        }

        public static Task growth(long requiredBytes, long limitBytes) {
            return new Task(false, new Growth(requiredBytes, limitBytes), Map.of());
        }

        public static Task change(Map<String, String> parameters) {
            return new Task(false, null, parameters);
        }
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Growth(
            @JsonPropertyDescription("The least size, 0 for any")
            long requiredBytes,

            @JsonPropertyDescription("The largest size, 0 for any")
            long limitBytes) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Attachment(
            @Required String node,

            @JsonPropertyDescription("Who may use it at the same time, as CSI names it") @Required
            String mode,

            @JsonPropertyDescription("As a raw device instead of through a filesystem")
            boolean block,

            @JsonPropertyDescription("Writes are refused") boolean readOnly) {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Status(
            @JsonPropertyDescription("The id of the volume, which is the volumeHandle of its PersistentVolume")
            @Nullable
            String volumeId,

            @JsonPropertyDescription("Its size") long sizeBytes,

            @JsonPropertyDescription("What a node has to know about it for good")
            Map<String, String> context,

            @JsonPropertyDescription("The values of its mutable parameters")
            Map<String, String> mutableParameters,

            @JsonPropertyDescription("The wish that this status answers")
            long attempt,

            @JsonPropertyDescription("Why that wish was not fulfilled") @Nullable
            Failure error,

            @JsonPropertyDescription("What is wrong with the volume, as its node sees it")
            List<Issue> health,

            @JsonPropertyDescription("Whether the volume is healthy")
            List<HealthCondition> conditions)
            implements Outcome {

        static final Status NONE = new Status(null, 0, Map.of(), Map.of(), 0, null, List.of(), List.of());

        public Status {
            context = Lists.orEmpty(context);
            mutableParameters = Lists.orEmpty(mutableParameters);
            health = Lists.orEmpty(health);
            conditions = Lists.orEmpty(conditions);
        }

        @Override
        @JsonIgnore
        public Optional<String> made() {
            return Optional.ofNullable(volumeId);
        }
    }
}
