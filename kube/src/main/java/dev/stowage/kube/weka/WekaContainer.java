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
import org.jspecify.annotations.Nullable;

/** A storage client on one node. */
@Group(WekaResources.GROUP)
@Version(WekaResources.VERSION)
@Kind("WekaContainer")
@Singular("wekacontainer")
@Plural("wekacontainers")
public final class WekaContainer extends CustomResource<WekaContainer.Spec, WekaContainer.Status>
        implements Namespaced {

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
     * @param nodeAffinity the name of the node
     * @param mode {@code client}; others are not our concern
     * @param tolerations all of them, as pods have them
     * @param csiDriverName the driver whose node server is to run beside it; nothing for none
     * @param unreadable why nothing else is known of it, if that is so
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Spec(
            @Nullable String nodeAffinity,
            @Nullable String mode,
            @Nullable String image,
            @Nullable String imagePullSecret,
            @Nullable Integer port,
            @Nullable Integer agentPort,
            WekaClient.@Nullable PortRange portRange,
            @Nullable String wekaSecretRef,
            @Nullable List<String> joinIpPorts,
            @Nullable List<Toleration> tolerations,
            @Nullable String serviceAccountName,
            @Nullable ResourceRequirements resources,
            @Nullable Probe readinessProbe,
            @Nullable String upgradePolicyType,
            @Nullable String csiDriverName,
            @JsonIgnore @Nullable String unreadable) {

        static final Spec EMPTY = unreadable(null);

        private static Spec unreadable(@Nullable String why) {
            return new Spec(
                    null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, why);
        }
    }

    private static final class Reader extends SpecReader<Spec> {
        Reader() {
            super(Spec.class, Spec::unreadable);
        }
    }

    /** @param status Init, Running, PodNotRunning, PodTerminating, Unhealthy or Error */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Status(@Nullable String status, @Nullable List<Condition> conditions) {

        public static final Status NONE = new Status(null, null);
    }
}
