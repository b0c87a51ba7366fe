package dev.stowage.manager;

import dev.stowage.kube.Events;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.apply.Conditions;
import dev.stowage.manager.apply.StatusBook;
import dev.stowage.manager.metrics.Doings;
import java.util.List;

/** Says why nothing is done about a deployment. What runs goes on running, and no node stays closed. */
final class Refusals {

    private final StatusBook book;
    private final Events events;
    private final Doings doings;
    private final Restarts restarts;

    Refusals(StatusBook book, Events events, Doings doings, Restarts restarts) {
        this.book = book;
        this.events = events;
        this.doings = doings;
        this.restarts = restarts;
    }

    /** What is asked for makes no sense. */
    void invalid(CsiDriverDeployment deployment, List<String> problems) {
        if (tell(deployment, "Invalid", problems)) {
            doings.refused(DeploymentReconciler.key(deployment));
        }
    }

    /** Somebody else has what it would need. */
    void notOurs(CsiDriverDeployment deployment, List<String> objections) {
        tell(deployment, "NotOurs", objections);
    }

    /** It is to be called otherwise, and volumes have the former name. */
    void renameWaits(CsiDriverDeployment deployment, List<String> objections) {
        tell(deployment, "RenameWaits", objections);
    }

    private boolean tell(CsiDriverDeployment deployment, String reason, List<String> why) {
        String message = String.join("; ", why);
        var status = deployment.getStatus();
        var conditions = new Conditions(status.conditions())
                .set(Conditions.SYNC_SUCCESSFUL, "False", reason, message)
                .all();
        var rollout = restarts.abandon(DeploymentReconciler.key(deployment), status.rolloutOrNone());
        boolean news = book.write(
                deployment,
                status.inState(DeploymentReconciler.MANAGED).with(conditions).with(rollout));
        if (news) {
            events.warning(deployment, reason, message);
        }
        return news;
    }
}
