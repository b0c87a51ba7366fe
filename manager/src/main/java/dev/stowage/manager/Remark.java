package dev.stowage.manager;

import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.driver.Undecided;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What somebody should know of a deployment that is as it was asked for.
 *
 * @param reason of the condition, and of the Event
 */
record Remark(String reason, String message) {

    /** Something that the driver can do is not made use of, because the cluster lacks what it needs. */
    static final String LEFT_OUT = "LeftOut";
    /** It is not known what the driver can do. */
    static final String NOT_TOLD = "NotTold";

    /**
     * All that there is to say.
     *
     * @param silence why the driver does not tell what it can do
     * @param leftOut why something is not made use of
     */
    static List<Remark> of(CsiDriverDeployment deployment, Optional<String> silence, Optional<String> leftOut) {
        var remarks = new ArrayList<Remark>();
        var undecided = Undecided.fields(deployment.getSpec());
        if (!undecided.isEmpty()) {
            silence.map(why -> notTold(deployment, why, undecided)).ifPresent(remarks::add);
        }
        leftOut.map(why -> new Remark(LEFT_OUT, why)).ifPresent(remarks::add);
        return List.copyOf(remarks);
    }

    private static Remark notTold(CsiDriverDeployment deployment, String why, List<String> undecided) {
        boolean known = deployment.getStatus().driver() != null;
        return new Remark(
                NOT_TOLD,
                "%s; it is asked again, and until it tells, %s; let the API server reach that port of the pod, or decide yourself by %s"
                        .formatted(
                                why,
                                known
                                        ? "what it told before counts"
                                        : "it counts as one that can do nothing beyond its duty",
                                String.join(", ", undecided)));
    }

    /** Whether a message says it already. */
    boolean isIn(String told) {
        return told.contains(message);
    }
}
