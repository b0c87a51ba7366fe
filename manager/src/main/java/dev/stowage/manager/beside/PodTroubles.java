package dev.stowage.manager.beside;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Why a pod does not run, or is not ready, in Kubernetes' words. Only such as stay the same while nothing changes: kubelets tell by the second
 * how long they still wait.
 */
public final class PodTroubles {

    private PodTroubles() {}

    /** The first cause; nothing when all is well, or nobody has told anything yet. */
    public static Optional<String> of(Pod pod) {
        var status = pod.getStatus();
        if (status == null) {
            return Optional.empty();
        }
        return ofContainers(status)
                .or(() -> condition(status, "PodScheduled").map(why -> "there is no place for it: " + why))
                .or(() -> Optional.ofNullable(status.getReason()))
                .or(() -> condition(status, "Ready"));
    }

    /** Those that run before the others first: the others wait for them. */
    private static Optional<String> ofContainers(PodStatus status) {
        return Stream.of(status.getInitContainerStatuses(), status.getContainerStatuses())
                .flatMap(Stream::ofNullable)
                .flatMap(List::stream)
                .filter(container -> !Boolean.TRUE.equals(container.getReady()))
                .map(container -> container.getName() + ": " + reason(container))
                .findFirst();
    }

    private static Optional<String> condition(PodStatus status, String type) {
        return Stream.ofNullable(status.getConditions())
                .flatMap(List::stream)
                .filter(condition -> condition.getType().equals(type)
                        && condition.getStatus().equals("False"))
                .map(condition -> condition.getMessage() == null ? condition.getReason() : condition.getMessage())
                .filter(why -> why != null && !why.isEmpty())
                .findFirst();
    }

    private static String reason(ContainerStatus container) {
        var state = container.getState();
        if (state != null && state.getTerminated() != null) {
            return ended(state.getTerminated());
        }
        if (state == null || state.getWaiting() == null || state.getWaiting().getReason() == null) {
            return "not ready";
        }
        return state.getWaiting().getReason() + before(container.getLastState());
    }

    /** Why it has to be started again. */
    private static String before(@Nullable ContainerState last) {
        return last == null || last.getTerminated() == null ? "" : ", before: " + ended(last.getTerminated());
    }

    private static String ended(ContainerStateTerminated end) {
        String reason = end.getReason() == null ? "ended" : end.getReason();
        return "%s with exit code %d".formatted(reason, end.getExitCode());
    }
}
