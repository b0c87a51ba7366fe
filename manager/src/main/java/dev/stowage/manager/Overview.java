package dev.stowage.manager;

import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Condition;
import dev.stowage.kube.csidriver.CsiDriverDeployment.DriverReport;
import dev.stowage.kube.csidriver.CsiDriverDeployment.NodeStatus;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Rollout;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Status;
import dev.stowage.manager.apply.Children;
import dev.stowage.manager.apply.Conditions;
import dev.stowage.manager.beside.ReadyPods;
import dev.stowage.manager.driver.Availability;
import dev.stowage.manager.driver.Report;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a managed deployment is like. */
final class Overview {

    /** Why a deployment does not work whose driver calls itself otherwise. */
    static final String OTHER_NAME = "OtherName";

    private static final String ROLLED_BACK = "RolledBack";

    private final Children children;
    private final NodeReports nodes;

    Overview(Children children, NodeReports nodes) {
        this.children = children;
        this.nodes = nodes;
    }

    Status of(
            CsiDriverDeployment deployment,
            List<HasMetadata> wanted,
            Management.Pass pass,
            Optional<Report> report,
            Restarts.Step step,
            BesideClients.Followers followers) {
        var before = deployment.getStatus();
        var set = first(wanted, DaemonSet.class).flatMap(children::find).map(DaemonSet.class::cast);
        var controller = first(wanted, Deployment.class);
        var live = controller.flatMap(children::find).map(Deployment.class::cast);
        var beside = deployment.getSpec().besidePods() != null;
        var availability = beside
                ? Availability.beside(followers.wanted().map(Map::size), ready(followers), live, controller.isPresent())
                : Availability.of(set, live, controller.isPresent());
        // While something is rolled out, the one that answers may be the one before. Of what was told already, nothing
        // is taken back for that.
        boolean settled = availability.underWay().isEmpty()
                && Stream.concat(set.stream(), live.stream()).noneMatch(pass::isAheadOf);
        var otherName = report.flatMap(told ->
                        told.otherName(String.valueOf(deployment.getSpec().driverName())))
                .filter(why -> settled || otherName(before).filter(why::equals).isPresent());
        var called = Set.of(String.valueOf(deployment.getSpec().driverName()));
        List<NodeStatus> onNodes = beside
                ? nodes.of(deployment, called, followers, step.waiting(), otherName)
                : set.map(each -> nodes.of(deployment, called, each, step.waiting(), otherName))
                        .orElse(List.of());
        var sync = sync(pass, otherName, step.rollout());
        return new Status(
                sync.done() ? deployment.getMetadata().getGeneration() : before.observedGeneration(),
                pass.made(),
                DeploymentReconciler.MANAGED,
                running(before, availability, step.rollout(), onNodes)
                        .set(Conditions.SYNC_SUCCESSFUL, sync.value(), sync.reason(), sync.message())
                        .all(),
                onNodes,
                report.map(told -> new DriverReport(
                                told.name().isEmpty() ? null : told.name(),
                                told.version(),
                                told.capabilities().stream().sorted().toList()))
                        .orElse(before.driver()),
                step.rollout().equals(Rollout.NONE) ? null : step.rollout(),
                pass.drift(before.drift()),
                before.blockers());
    }

    private static int ready(BesideClients.Followers followers) {
        return (int) followers.present().stream().filter(ReadyPods::ready).count();
    }

    /** Whether everything is as it was asked for. */
    private record Sync(String value, String reason, String message) {

        boolean done() {
            return value.equals("True");
        }
    }

    private static Sync sync(Management.Pass pass, Optional<String> otherName, Rollout rollout) {
        String remarks = pass.remarks().stream().map(Remark::message).collect(Collectors.joining("; "));
        if (!pass.errors().isEmpty()) {
            return new Sync(
                    "False",
                    "Failed",
                    Stream.of(pass.errors().stream(), otherName.stream(), Stream.of(remarks))
                            .flatMap(each -> each)
                            .filter(each -> !each.isEmpty())
                            .collect(Collectors.joining("; ")));
        }
        if (otherName.isPresent()) {
            return new Sync("False", OTHER_NAME, otherName.get());
        }
        if (rollout.refused() != null) {
            return new Sync("False", ROLLED_BACK, takenBack(rollout));
        }
        return new Sync(
                "True",
                pass.remarks().isEmpty() ? "Synced" : pass.remarks().getFirst().reason(),
                remarks);
    }

    /** What a status says of whether everything is as it was asked for. */
    static String syncMessage(Status status) {
        return sync(status)
                .map(condition -> String.valueOf(condition.message()))
                .orElse("");
    }

    private static Optional<Condition> sync(Status status) {
        return Objects.requireNonNullElse(status.conditions(), List.<Condition>of()).stream()
                .filter(condition -> condition.type().equals(Conditions.SYNC_SUCCESSFUL))
                .findFirst();
    }

    /** What a status says about a driver that calls itself otherwise, if that is all that is wrong. */
    static Optional<String> otherName(Status status) {
        return sync(status)
                .filter(condition -> OTHER_NAME.equals(condition.reason()))
                .map(condition -> String.valueOf(condition.message()));
    }

    private static String takenBack(Rollout rollout) {
        return "the wanted template for nodes does not work, the last good one is used: " + rollout.why();
    }

    /** What there is to say of that which runs. */
    static Conditions running(Status before, Availability availability, Rollout rollout, List<NodeStatus> nodes) {
        var conditions = new Conditions(before.conditions())
                .set(
                        Conditions.AVAILABLE,
                        availability.available(),
                        availability.available().equals("True") ? "AllRun" : "SomeDoNotRun",
                        availability.message());
        String former = nodes.stream()
                .filter(node -> !node.current())
                .map(NodeStatus::name)
                .collect(Collectors.joining(", "));
        if (rollout.refused() != null) {
            conditions.set(Conditions.PROGRESSING, "False", ROLLED_BACK, takenBack(rollout));
        } else if (!former.isEmpty()) {
            conditions.set(
                    Conditions.PROGRESSING,
                    "True",
                    "FormerTemplate",
                    "these nodes still run the former template: " + former);
        } else {
            boolean settled = availability.underWay().isEmpty();
            conditions.set(
                    Conditions.PROGRESSING,
                    settled ? "False" : "True",
                    settled ? "Settled" : "RollingOut",
                    settled ? "nothing is being rolled out" : String.join("; ", availability.underWay()));
        }
        return conditions;
    }

    private static <T extends HasMetadata> Optional<HasMetadata> first(List<HasMetadata> among, Class<T> type) {
        return among.stream().filter(type::isInstance).findFirst();
    }
}
