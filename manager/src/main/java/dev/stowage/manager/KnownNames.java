package dev.stowage.manager;

import dev.stowage.kube.Cache;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Child;
import dev.stowage.manager.apply.Children;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.storage.CSIDriver;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What a driver is called. The spec tells how it is to be called; what was deployed before has the former name, and the volumes that nodes
 * have of it have that one, too.
 */
final class KnownNames {

    private static final String REGISTRATION = "--kubelet-registration-path=";

    private final Children children;
    private final Cache<Pod> pods;

    KnownNames(Children children, Cache<Pod> pods) {
        this.children = children;
        this.pods = pods;
    }

    /** All names under which nodes may have volumes of it. */
    Set<String> of(CsiDriverDeployment deployment) {
        return of(deployment, List.of());
    }

    /** @param more pods of it on nodes, which may not have our labels yet */
    Set<String> of(CsiDriverDeployment deployment, Collection<Pod> more) {
        var names = deployed(deployment);
        if (deployment.getSpec().driverName() != null) {
            names.add(deployment.getSpec().driverName());
        }
        Stream.concat(pods.by(Children.BY_OWNER, DeploymentReconciler.key(deployment)).stream(), more.stream())
                .flatMap(KnownNames::registered)
                .forEach(names::add);
        return names;
    }

    /** Under which it is deployed, beside the one that the spec gives it. */
    Set<String> former(CsiDriverDeployment deployment) {
        var names = deployed(deployment);
        names.remove(String.valueOf(deployment.getSpec().driverName()));
        return names;
    }

    /** By the CSIDriver objects: the status may be from before one was made, and one that is there may have lost its labels. */
    private Set<String> deployed(CsiDriverDeployment deployment) {
        var names = new TreeSet<String>();
        Objects.requireNonNullElse(deployment.getStatus().children(), List.<Child>of()).stream()
                .filter(child -> child.resource().equals("csidrivers"))
                .map(Child::name)
                .forEach(names::add);
        children.of(DeploymentReconciler.key(deployment)).stream()
                .filter(CSIDriver.class::isInstance)
                .map(driver -> driver.getMetadata().getName())
                .forEach(names::add);
        return names;
    }

    /** A node's kubelet is led to a directory of the driver's name. A pod of a former template goes on under the name of then. */
    private static Stream<String> registered(Pod pod) {
        return pod.getSpec().getContainers().stream()
                .flatMap(container -> Stream.ofNullable(container.getArgs()))
                .flatMap(List::stream)
                .filter(argument -> argument.startsWith(REGISTRATION))
                .map(argument -> directory(argument.substring(REGISTRATION.length())))
                .filter(name -> !name.isEmpty());
    }

    private static String directory(String socket) {
        int end = socket.lastIndexOf('/');
        return end < 0 ? "" : socket.substring(socket.lastIndexOf('/', end - 1) + 1, end);
    }
}
