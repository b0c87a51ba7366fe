package dev.stowage.kube.weka;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client or a cluster says of its driver.
 *
 * @param csiGroup a part of the driver's name
 * @param csiDriverName the whole name, as it is
 * @param disableControllerCreation whether somebody else runs the controller
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record CsiConfig(
        @Nullable String csiGroup,
        @Nullable String csiDriverName,
        @Nullable Boolean disableControllerCreation,
        @Nullable Advanced advanced) {

    public static final CsiConfig NONE = new CsiConfig(null, null, null, null);

    /**
     * What few need.
     *
     * @param skipGarbageCollection whether the driver leaves what a deleted volume had in it to the cluster
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Advanced(
            @Nullable Boolean enforceTrustedHttps,
            @Nullable Map<String, String> nodeLabels,
            @Nullable List<Toleration> nodeTolerations,
            @Nullable Map<String, String> controllerLabels,
            @Nullable List<Toleration> controllerTolerations,
            @Nullable Boolean skipGarbageCollection) {

        public static final Advanced NONE = new Advanced(null, null, null, null, null, null);

        private Advanced orElse(Advanced others) {
            return new Advanced(
                    first(enforceTrustedHttps, others.enforceTrustedHttps),
                    first(nodeLabels, others.nodeLabels),
                    first(nodeTolerations, others.nodeTolerations),
                    first(controllerLabels, others.controllerLabels),
                    first(controllerTolerations, others.controllerTolerations),
                    first(skipGarbageCollection, others.skipGarbageCollection));
        }
    }

    public Advanced advancedOrNone() {
        return advanced == null ? Advanced.NONE : advanced;
    }

    /** What is not said here is as others say it. */
    public CsiConfig orElse(CsiConfig others) {
        return new CsiConfig(
                first(csiGroup, others.csiGroup),
                first(csiDriverName, others.csiDriverName),
                first(disableControllerCreation, others.disableControllerCreation),
                advancedOrNone().orElse(others.advancedOrNone()));
    }

    private static <T> @Nullable T first(@Nullable T one, @Nullable T other) {
        return one == null ? other : one;
    }
}
