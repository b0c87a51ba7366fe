package dev.stowage.kube.csidriver;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.stowage.kube.SpecReader;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.TopologySelectorTerm;
import io.fabric8.kubernetes.api.model.storage.TokenRequest;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One driver, as somebody wants it to run.
 *
 * <p>Everything that has a fixed set of values is text here: what is wrong in meaning is told in the status, and not by the API server.
 */
@Group(CsiDriverDeployment.GROUP)
@Version("v1alpha1")
@Kind("CSIDriverDeployment")
@Singular("csidriverdeployment")
@Plural("csidriverdeployments")
public final class CsiDriverDeployment extends CustomResource<CsiDriverDeployment.Spec, CsiDriverDeployment.Status>
        implements Namespaced {

    public static final String GROUP = "csidriver.storage.openshift.io";

    /** On every deployment that has children. */
    public static final String FINALIZER = GROUP;

    public static final String OWNER_NAMESPACE = GROUP + "/owner-namespace";
    public static final String OWNER_NAME = GROUP + "/owner-name";
    public static final String DAEMON_SET = GROUP + "/daemonset";
    public static final String DEPLOYMENT = GROUP + "/deployment";
    /** The taint of a node on which a driver that holds mounts is being restarted. */
    public static final String RESTARTING = GROUP + "/restarting";

    @Override
    protected Spec initSpec() {
        return Spec.EMPTY;
    }

    @Override
    protected Status initStatus() {
        return Status.NONE;
    }

    @Override
    @JsonDeserialize(using = Reader.class)
    public void setSpec(Spec spec) {
        super.setSpec(spec);
    }

    /**
     * What is wanted.
     *
     * @param unreadable why hardly anything else is known of it, if that is so
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Spec(
            @Nullable String managementState,
            @Nullable String driverName,
            @Nullable PodTemplateSpec driverPerNodeTemplate,
            @Nullable PodTemplateSpec driverControllerTemplate,
            @Nullable String driverSocket,
            @Nullable Integer probePeriodSeconds,
            @Nullable Integer probeTimeoutSeconds,
            @Nullable List<StorageClassTemplate> storageClassTemplates,
            @Nullable String nodeUpdateStrategy,
            @Nullable ContainerImages containerImages,
            @Nullable Map<String, String> nodeSelector,
            @Nullable Sidecars sidecars,
            @Nullable DriverObject csiDriver,
            @Nullable Boolean holdsMounts,
            @Nullable Boolean protectVolumes,
            @Nullable String adoption,
            @Nullable Adopted adopt,
            @Nullable BesidePods besidePods,
            @JsonIgnore @Nullable String unreadable) {

        static final Spec EMPTY = of(null, null, null, null);

        /** What is wrong elsewhere does not change whether we are in charge, of which driver, and what its removal waits for. */
        private static Spec whatCanBeRead(String why, JsonNode tree) {
            JsonNode protect = tree.path("protectVolumes");
            return of(
                    tree.path("managementState").textValue(),
                    tree.path("driverName").textValue(),
                    protect.isBoolean() ? protect.booleanValue() : null,
                    why);
        }

        private static Spec of(
                @Nullable String managementState,
                @Nullable String driverName,
                @Nullable Boolean protectVolumes,
                @Nullable String unreadable) {
            return new Spec(
                    managementState,
                    driverName,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    protectVolumes,
                    null,
                    null,
                    null,
                    unreadable);
        }
    }

    private static final class Reader extends SpecReader<Spec> {
        Reader() {
            super(Spec.class, Spec::whatCanBeRead);
        }
    }

    /**
     * Pods beside which the driver runs on nodes, instead of on every node.
     *
     * @param namespace where they are, if not beside the deployment
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record BesidePods(
            @Nullable String namespace, @Nullable LabelSelector selector) {}

    /** What a driver that was installed otherwise is called, where it is not what this deployment would call it. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Adopted(
            @Nullable String daemonSet,
            @Nullable String deployment,
            @Nullable String serviceAccount) {}

    /** A class that the driver comes with. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record StorageClassTemplate(
            @Nullable ObjectMeta metadata,
            @JsonProperty("default") @Nullable Boolean isDefault,
            @Nullable Map<String, String> parameters,
            @Nullable String reclaimPolicy,
            @Nullable List<String> mountOptions,
            @Nullable Boolean allowVolumeExpansion,
            @Nullable String volumeBindingMode,
            @Nullable List<TopologySelectorTerm> allowedTopologies) {}

    /** Images other than the manager's own choice. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record ContainerImages(
            @Nullable String attacherImage,
            @Nullable String provisionerImage,
            @Nullable String driverRegistrarImage,
            @Nullable String livenessProbeImage,
            @Nullable String resizerImage,
            @Nullable String snapshotterImage) {

        public static final ContainerImages DEFAULTS = new ContainerImages(null, null, null, null, null, null);
    }

    /**
     * Sidecars beyond those that every driver gets: Auto (if the driver can do it), Always or Never.
     *
     * @param timeoutSeconds how long all of them wait for the driver
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Sidecars(
            @Nullable String resizer,
            @Nullable String snapshotter,
            @Nullable String groupSnapshots,
            @Nullable Integer timeoutSeconds) {}

    /** What Kubernetes is to know of the driver, where it is other than what the driver reports. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record DriverObject(
            @Nullable Boolean attachRequired,
            @Nullable Boolean podInfoOnMount,
            @Nullable String fsGroupPolicy,
            @Nullable List<String> volumeLifecycleModes,
            @Nullable Boolean storageCapacity,
            @Nullable Boolean requiresRepublish,
            @Nullable Boolean seLinuxMount,
            @Nullable List<TokenRequest> tokenRequests) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Status(
            @Nullable Long observedGeneration,
            @Nullable List<Child> children,
            @Nullable String state,
            @Nullable List<Condition> conditions,
            @Nullable List<NodeStatus> nodes,
            @Nullable DriverReport driver,
            @Nullable Rollout rollout,
            @Nullable Drift drift,
            @Nullable List<String> blockers) {

        static final Status NONE = new Status(null, null, null, null, null, null, null, null, null);

        public Status inState(String now) {
            return new Status(observedGeneration, children, now, conditions, nodes, driver, rollout, drift, blockers);
        }

        public Status with(List<Condition> now) {
            return new Status(observedGeneration, children, state, now, nodes, driver, rollout, drift, blockers);
        }

        public Status onNodes(List<NodeStatus> now) {
            return new Status(observedGeneration, children, state, conditions, now, driver, rollout, drift, blockers);
        }

        public Status with(Rollout now) {
            var told = now.equals(Rollout.NONE) ? null : now;
            return new Status(observedGeneration, children, state, conditions, nodes, driver, told, drift, blockers);
        }

        public Status blockedBy(@Nullable List<String> now) {
            return new Status(observedGeneration, children, state, conditions, nodes, driver, rollout, drift, now);
        }

        public Rollout rolloutOrNone() {
            return rollout == null ? Rollout.NONE : rollout;
        }
    }

    /**
     * How the template of the nodes is doing.
     *
     * @param lastGood the ControllerRevision with which all nodes ran
     * @param template of that revision, which goes with the DaemonSet when somebody deletes it
     * @param refused which template did not work, so that it is not tried again
     * @param why it did not
     * @param restarting the node where a driver that holds mounts is being restarted, and no pod may come meanwhile
     * @param missing while nodes have no pod at all
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Rollout(
            @Nullable String lastGood,
            @Nullable PodTemplateSpec template,
            @Nullable String refused,
            @Nullable String why,
            @Nullable String restarting,
            @Nullable Missing missing) {

        public static final Rollout NONE = new Rollout(null, null, null, null, null, null);

        /** One that works. */
        public Rollout good(String revision, PodTemplateSpec its) {
            // The same one is not written again, however it was read.
            boolean same = revision.equals(lastGood) && template != null;
            return new Rollout(revision, same ? template : its, refused, why, restarting, missing);
        }

        public Rollout refusing(@Nullable String which, @Nullable String because) {
            return new Rollout(lastGood, template, which, because, restarting, missing);
        }

        public Rollout restarting(@Nullable String node) {
            return new Rollout(lastGood, template, refused, why, node, missing);
        }

        public Rollout missing(@Nullable Missing now) {
            return new Rollout(lastGood, template, refused, why, restarting, now);
        }
    }

    /**
     * Nodes that are to have a pod and have none.
     *
     * @param of the template of these pods
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Missing(String of, String since) {}

    /**
     * What others have made of the objects.
     *
     * @param restored how often an object had to be restored
     * @param object the last one
     * @param by who had changed it, as far as the API server knows
     * @param changes what
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Drift(
            long restored, String object, @Nullable String by, List<String> changes) {

        /** This with all that was restored before. */
        public Drift after(Drift before) {
            return new Drift(before.restored + restored, object, by, changes);
        }
    }

    /** An object that was made, and its generation when it was last written. */
    public record Child(
            String group, String resource, @Nullable String namespace, String name, long lastGeneration) {}

    public record Condition(
            String type,
            String status,
            @Nullable String reason,
            @Nullable String message,
            String lastTransitionTime) {}

    /**
     * How the driver is on one node.
     *
     * @param conditions what the node has for drivers
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record NodeStatus(
            String name,
            boolean registered,
            @Nullable String version,
            boolean current,
            @Nullable String message,
            @Nullable List<Condition> conditions) {}

    /** What the driver told of itself. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DriverReport(
            @Nullable String name,
            @Nullable String version,
            @Nullable List<String> capabilities) {}
}
