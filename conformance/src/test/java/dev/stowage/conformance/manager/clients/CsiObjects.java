package dev.stowage.conformance.manager.clients;

import dev.stowage.kube.weka.WekaContainer;
import dev.stowage.kube.weka.WekaResources;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.storage.CSIDriver;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/** All that there is of a driver. */
record CsiObjects(KubernetesClient client, String driver) {

    private static final String NAMESPACE = ClientsPlane.CSI_NAMESPACE;

    private String dashed() {
        return driver.replace('.', '-');
    }

    Resource<CSIDriver> driverObject() {
        return client.storage().v1().csiDrivers().withName(driver);
    }

    Resource<StorageClass> storageClass() {
        return storageClass("default");
    }

    Resource<StorageClass> direct() {
        return storageClass("default-mountdirect");
    }

    Resource<StorageClass> storageClass(String ending) {
        return client.storage().v1().storageClasses().withName("storageclass-" + dashed() + "-" + ending);
    }

    Resource<Deployment> controller() {
        return client.apps().deployments().inNamespace(NAMESPACE).withName(dashed() + "-csi-controller");
    }

    List<Pod> nodeServers() {
        return nodeServers(NAMESPACE);
    }

    List<Pod> nodeServers(String namespace) {
        return client.pods()
                .inNamespace(namespace)
                .withLabel(WekaResources.DRIVER, driver)
                .withLabel(WekaResources.MODE, "csi_node")
                .list()
                .getItems();
    }

    /** What is on a node for pods to be scheduled by. */
    Map<String, String> topology(String node) {
        var all = Objects.requireNonNullElse(
                client.nodes().withName(node).get().getMetadata().getLabels(), Map.<String, String>of());
        var ours = new TreeMap<String, String>();
        String prefix = "topology." + driver + "/";
        all.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                ours.put(key.substring(prefix.length()), value);
            }
        });
        return ours;
    }

    /** The objects that are made for it, without its node servers. */
    List<HasMetadata> objects() {
        return all().filter(object -> object.getMetadata().getName().contains(dashed())
                        || object.getMetadata().getName().equals(driver)
                        || driver.equals(labels(object).get(WekaResources.DRIVER)))
                .toList();
    }

    private Stream<HasMetadata> all() {
        var rbac = client.rbac();
        return Stream.of(
                        client.storage().v1().csiDrivers().list().getItems(),
                        client.storage().v1().storageClasses().list().getItems(),
                        client.apps().deployments().inAnyNamespace().list().getItems(),
                        client.apps().daemonSets().inAnyNamespace().list().getItems(),
                        client.serviceAccounts().inAnyNamespace().list().getItems(),
                        rbac.clusterRoles().list().getItems(),
                        rbac.clusterRoleBindings().list().getItems(),
                        rbac.roles().inAnyNamespace().list().getItems(),
                        rbac.roleBindings().inAnyNamespace().list().getItems())
                .flatMap(List::stream);
    }

    /** Everything that would be left over if it were not there any more, each as KIND NAME. */
    List<String> traces() {
        var pods = client.pods()
                .inAnyNamespace()
                .withLabel(WekaResources.DRIVER, driver)
                .list()
                .getItems();
        var containers = client.resources(WekaContainer.class).inAnyNamespace().list().getItems().stream()
                .filter(container -> driver.equals(container.getSpec().csiDriverName()));
        var nodes = client.nodes().list().getItems().stream()
                .filter(node -> !topology(node.getMetadata().getName()).isEmpty());
        return Stream.of(objects().stream(), pods.stream(), containers, nodes)
                .flatMap(each -> each)
                .map(object -> object.getKind() + " " + object.getMetadata().getName())
                .toList();
    }

    /** By kind and name, what tells whether an object was written: the same unless it was changed or made anew. */
    static Map<String, String> versions(List<? extends HasMetadata> objects) {
        var versions = new TreeMap<String, String>();
        objects.forEach(object -> versions.put(
                object.getKind() + " " + object.getMetadata().getName(),
                object.getMetadata().getUid() + " " + object.getMetadata().getGeneration()));
        return versions;
    }

    private static Map<String, String> labels(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.of());
    }
}
