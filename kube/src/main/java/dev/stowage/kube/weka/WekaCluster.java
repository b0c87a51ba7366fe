package dev.stowage.kube.weka;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.stowage.kube.SpecReader;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A cluster that clients name as their target. It is read and never written: what runs it is not our concern. */
@Group(WekaResources.GROUP)
@Version(WekaResources.VERSION)
@Kind("WekaCluster")
@Singular("wekacluster")
@Plural("wekaclusters")
public final class WekaCluster extends CustomResource<WekaCluster.Spec, Map<String, Object>> implements Namespaced {

    @Override
    protected Spec initSpec() {
        return Spec.EMPTY;
    }

    @Override
    protected Map<String, Object> initStatus() {
        return Map.of();
    }

    @Override
    @JsonDeserialize(using = Reader.class)
    public void setSpec(Spec spec) {
        super.setSpec(spec);
    }

    /** @param unreadable why nothing else is known of it, if that is so */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Spec(
            @Nullable CsiConfig csiConfig,
            @JsonIgnore @Nullable String unreadable) {

        static final Spec EMPTY = new Spec(null, null);

        public CsiConfig csiConfigOrNone() {
            return csiConfig == null ? CsiConfig.NONE : csiConfig;
        }
    }

    private static final class Reader extends SpecReader<Spec> {
        Reader() {
            super(Spec.class, why -> new Spec(null, why));
        }
    }
}
