package dev.stowage.manager.beside;

import io.fabric8.kubernetes.api.model.Pod;

/** Which pods are of use. */
public final class ReadyPods {

    private ReadyPods() {}

    /** Whether it is ready and is to stay. */
    public static boolean ready(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() == null
                && pod.getStatus() != null
                && pod.getStatus().getConditions() != null
                && pod.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"));
    }
}
