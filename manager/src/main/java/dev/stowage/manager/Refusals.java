package dev.stowage.manager;

import dev.stowage.kube.Events;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Condition;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Rollout;
import dev.stowage.manager.apply.Conditions;
import dev.stowage.manager.apply.StatusBook;
import dev.stowage.manager.metrics.Doings;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** Says why nothing is done about a deployment. What runs goes on running, and no node stays closed for what will not come. */
final class Refusals {

    private final StatusBook book;
    private final Events events;
    private final Doings doings;
    private final Restarts restarts;
    private final Standing standing;

    Refusals(StatusBook book, Events events, Doings doings, Restarts restarts, Standing standing) {
        this.book = book;
        this.events = events;
        this.doings = doings;
        this.restarts = restarts;
        this.standing = standing;
    }

    /** What is asked for makes no sense. */
    void invalid(CsiDriverDeployment deployment, List<String> problems) {
        if (tell(deployment, "Invalid", problems, abandoned(deployment))) {
            doings.refused(DeploymentReconciler.key(deployment));
        }
    }

    /** Somebody else has what it would need. */
    void notOurs(CsiDriverDeployment deployment, List<String> objections) {
        tell(deployment, "NotOurs", objections, abandoned(deployment));
    }

    /** Nobody can tell whether it could be made. It is tried again, and a node that is closed meanwhile has a reason to be. */
    void unclear(CsiDriverDeployment deployment, List<String> why) {
        tell(deployment, "Failed", why, deployment.getStatus().rolloutOrNone());
    }

    /** It is to be called otherwise, and volumes have the former name. */
    void renameWaits(CsiDriverDeployment deployment, List<String> objections) {
        tell(deployment, "RenameWaits", objections, abandoned(deployment));
    }

    private Rollout abandoned(CsiDriverDeployment deployment) {
        return restarts.abandon(
                DeploymentReconciler.key(deployment), deployment.getStatus().rolloutOrNone());
    }

    private boolean tell(CsiDriverDeployment deployment, String reason, List<String> why, Rollout rollout) {
        String message = String.join("; ", why);
        var before = deployment.getStatus();
        var now = standing.of(deployment, rollout);
        var conditions = new Conditions(now.conditions())
                .set(Conditions.SYNC_SUCCESSFUL, "False", reason, message)
                .all();
        // The driver comes and goes meanwhile, and that is no news of the refusal.
        boolean news = Collections.disjoint(
                conditions.stream().filter(Refusals::isAboutSync).toList(),
                Objects.requireNonNullElse(before.conditions(), List.<Condition>of()));
        book.write(
                deployment,
                now.inState(DeploymentReconciler.MANAGED).with(conditions).with(rollout));
        if (news) {
            events.warning(deployment, reason, message);
        }
        return news;
    }

    private static boolean isAboutSync(Condition condition) {
        return condition.type().equals(Conditions.SYNC_SUCCESSFUL);
    }
}
