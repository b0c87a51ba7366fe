package dev.stowage.kube.weka;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.stowage.kube.SpecReader;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Condition;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A storage client on the nodes that it selects, and the driver that comes with it. */
@Group(WekaResources.GROUP)
@Version(WekaResources.VERSION)
@Kind("WekaClient")
@Singular("wekaclient")
@Plural("wekaclients")
public final class WekaClient extends CustomResource<WekaClient.Spec, WekaClient.Status> implements Namespaced {

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
     * What is wanted, as far as this flow needs it.
     *
     * @param csiGroup at this place, too, where the first version had it
     * @param tolerations keys of taints, whatever their value and effect
     * @param readinessProbe by which a client tells that it works; without it, that it runs is all that is known
     * @param unreadable why nothing else is known of it, if that is so
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Spec(
            @Nullable String image,
            @Nullable String imagePullSecret,
            @Nullable Integer port,
            @Nullable Integer agentPort,
            @Nullable PortRange portRange,
            @Nullable Map<String, String> nodeSelector,
            @Nullable String wekaSecretRef,
            @Nullable List<String> joinIpPorts,
            @Nullable TargetCluster targetCluster,
            @Nullable List<String> tolerations,
            @Nullable List<Toleration> rawTolerations,
            @Nullable String serviceAccountName,
            @Nullable ResourceRequirements resources,
            @Nullable Probe readinessProbe,
            @Nullable UpgradePolicy upgradePolicy,
            @Nullable String csiGroup,
            @Nullable CsiConfig csiConfig,
            @JsonIgnore @Nullable String unreadable) {

        static final Spec EMPTY = unreadable(null);

        public Spec {
            // Who names no cluster has none, however he says it.
            if (targetCluster != null
                    && (targetCluster.name() == null || targetCluster.name().isEmpty())) {
                targetCluster = null;
            }
        }

        private static Spec unreadable(@Nullable String why) {
            return new Spec(
                    null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
                    null, why);
        }

        public CsiConfig csiConfigOrNone() {
            return csiConfig == null ? CsiConfig.NONE : csiConfig;
        }
    }

    private static final class Reader extends SpecReader<Spec> {
        Reader() {
            super(Spec.class, Spec::unreadable);
        }
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record PortRange(
            @Nullable Integer basePort, @Nullable Integer portRange) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record TargetCluster(
            @Nullable String name, @Nullable String namespace) {}

    /** @param type rolling (the default), manual or all-at-once */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record UpgradePolicy(@Nullable String type) {}

    /**
     * What has become of it.
     *
     * @param csiDeployed whether everything of the driver was there once, and nobody has removed it since
     * @param csiDriverName under which a driver was deployed, written before anything of it is made
     * @param csiConfigHash of the configuration with which it was
     * @param csiCluster what the client said of its cluster when it got the driver: the one that it names, or machines
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Status(
            @Nullable Long observedGeneration,
            @Nullable String status,
            @Nullable List<Condition> conditions,
            @Nullable Boolean csiDeployed,
            @Nullable String csiDriverName,
            @Nullable String csiConfigHash,
            @Nullable List<String> csiCluster,
            @Nullable String lastAppliedSpec,
            @Nullable Stats stats,
            @Nullable Printer printer) {

        public static final Status NONE = new Status(null, null, null, null, null, null, null, null, null, null);
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Stats(Containers containers) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Containers(int active, int created, int desired) {}

    /** What kubectl shows. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Printer(String containers) {}
}
