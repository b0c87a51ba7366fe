package dev.stowage.manager.driver;

import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether everything that is to run runs.
 *
 * @param available True, False or Unknown
 * @param underWay what is still being rolled out
 */
public record Availability(String available, String message, List<String> underWay) {

    private static final String NOT_MADE = "its pods have not been made yet";
    private static final Availability NOTHING_YET = new Availability("Unknown", NOT_MADE, List.of(NOT_MADE));

    /** @param controllerWanted whether the driver has a controller at all */
    public static Availability of(Optional<DaemonSet> node, Optional<Deployment> controller, boolean controllerWanted) {
        if (node.isEmpty() || controllerWanted && controller.isEmpty()) {
            return NOTHING_YET;
        }
        var missing = new ArrayList<String>();
        var underWay = new ArrayList<String>();
        nodes(node.get(), missing, underWay);
        controller.ifPresent(present -> replicas(present, missing, underWay));
        return of(missing, underWay);
    }

    /**
     * Of a driver beside the pods of a client.
     *
     * @param wanted on how many nodes; nothing while that is not known
     * @param ready on how many it is
     */
    public static Availability beside(
            Optional<Integer> wanted, int ready, Optional<Deployment> controller, boolean controllerWanted) {
        if (wanted.isEmpty() || controllerWanted && controller.isEmpty()) {
            return NOTHING_YET;
        }
        var missing = new ArrayList<String>();
        var underWay = new ArrayList<String>();
        if (ready < wanted.get()) {
            String message = "%d of %d nodes with a client run it".formatted(ready, wanted.get());
            missing.add(message);
            underWay.add(message);
        }
        controller.ifPresent(present -> replicas(present, missing, underWay));
        return of(missing, underWay);
    }

    /**
     * Of a driver that is as it was deployed before.
     *
     * @param ready of so many beside the pods of a client
     * @param gone what was deployed and is not found
     */
    public static Availability standing(
            List<DaemonSet> sets, List<Deployment> controllers, int ready, int beside, Collection<String> gone) {
        var missing = new ArrayList<String>();
        var underWay = new ArrayList<String>();
        gone.forEach(object -> missing.add(object + " is gone, or has lost its labels"));
        sets.forEach(set -> nodes(set, missing, underWay));
        controllers.forEach(controller -> replicas(controller, missing, underWay));
        if (ready < beside) {
            missing.add("%d of %d pods beside clients run".formatted(ready, beside));
        }
        return of(missing, underWay);
    }

    private static Availability of(List<String> missing, List<String> underWay) {
        return missing.isEmpty()
                ? new Availability("True", "all its pods run", underWay)
                : new Availability("False", String.join("; ", missing), underWay);
    }

    private static void nodes(DaemonSet set, List<String> missing, List<String> underWay) {
        var status = set.getStatus();
        String name = set.getMetadata().getName();
        int wanted = status == null ? 0 : number(status.getDesiredNumberScheduled());
        int ready = status == null ? 0 : number(status.getNumberAvailable());
        int updated = status == null ? 0 : number(status.getUpdatedNumberScheduled());
        boolean seen = status != null && seen(set.getMetadata().getGeneration(), status.getObservedGeneration());
        if (!seen || ready < wanted) {
            missing.add("%d of %d nodes run %s".formatted(ready, wanted, name));
        }
        if (!seen || updated < wanted) {
            underWay.add("%d of %d nodes have the template of now of %s".formatted(updated, wanted, name));
        }
    }

    private static void replicas(Deployment deployment, List<String> missing, List<String> underWay) {
        var status = deployment.getStatus();
        String name = deployment.getMetadata().getName();
        int wanted = number(deployment.getSpec().getReplicas());
        int ready = status == null ? 0 : number(status.getAvailableReplicas());
        int updated = status == null ? 0 : number(status.getUpdatedReplicas());
        int all = status == null ? 0 : number(status.getReplicas());
        boolean seen = status != null && seen(deployment.getMetadata().getGeneration(), status.getObservedGeneration());
        if (!seen || ready < wanted) {
            missing.add("%d of %d pods of %s run".formatted(ready, wanted, name));
        }
        if (!seen || updated < wanted) {
            underWay.add("%d of %d pods of %s have the template of now".formatted(updated, wanted, name));
        } else if (all > updated) {
            // Kubernetes ends them when enough of the new ones run.
            underWay.add("%d former pods of %s are still there".formatted(all - updated, name));
        }
    }

    private static boolean seen(@Nullable Long generation, @Nullable Long observed) {
        return Objects.equals(generation, observed);
    }

    private static int number(@Nullable Integer value) {
        return value == null ? 0 : value;
    }
}
