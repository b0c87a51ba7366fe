package dev.stowage.sidecar.attacher;

import dev.stowage.kube.LeaderElection;
import org.jspecify.annotations.Nullable;

/** Figures of an attacher besides its calls, under the names that the stock one uses. */
final class AttacherMetrics {

    private AttacherMetrics() {}

    static String text(@Nullable AttachController controller, @Nullable LeaderElection election) {
        var text = new StringBuilder();
        if (controller != null) {
            text.append("# HELP workqueue_depth Objects that something is to be done about.\n");
            text.append("# TYPE workqueue_depth gauge\n");
            text.append("workqueue_depth{name=\"csi-attacher\"} ")
                    .append(controller.queue().depth())
                    .append('\n');
            text.append("# HELP workqueue_retries_total How often something had to be tried again.\n");
            text.append("# TYPE workqueue_retries_total counter\n");
            text.append("workqueue_retries_total{name=\"csi-attacher\"} ")
                    .append(controller.queue().retries())
                    .append('\n');
        }
        if (election != null) {
            text.append("# HELP leader_election_master_status Whether this process leads.\n");
            text.append("# TYPE leader_election_master_status gauge\n");
            text.append("leader_election_master_status ")
                    .append(election.leads() ? 1 : 0)
                    .append('\n');
        }
        return text.toString();
    }
}
