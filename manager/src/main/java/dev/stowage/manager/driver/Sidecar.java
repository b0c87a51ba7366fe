package dev.stowage.manager.driver;

import dev.stowage.kube.csidriver.CsiDriverDeployment.ContainerImages;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A container that stands between Kubernetes and the driver. */
enum Sidecar {
    PROVISIONER(
            "csi-provisioner",
            ContainerImages::provisionerImage,
            List.of(
                    rule("", "persistentvolumes", "get", "list", "watch", "create", "patch", "delete"),
                    rule("", "persistentvolumeclaims", "get", "list", "watch", "update"),
                    rule("", "nodes", "get", "list", "watch"),
                    rule("", "events", "get", "list", "watch", "create", "update", "patch"),
                    rule("storage.k8s.io", "storageclasses", "get", "list", "watch"),
                    rule("storage.k8s.io", "csinodes", "get", "list", "watch"),
                    rule("storage.k8s.io", "volumeattributesclasses", "get", "list", "watch"),
                    rule("storage.k8s.io", "volumeattachments", "get", "list", "watch"),
                    rule("snapshot.storage.k8s.io", "volumesnapshots", "get", "list"),
                    rule("snapshot.storage.k8s.io", "volumesnapshotcontents", "get", "list"))),
    ATTACHER(
            "csi-attacher",
            ContainerImages::attacherImage,
            List.of(
                    rule("", "persistentvolumes", "get", "list", "watch", "patch"),
                    rule("storage.k8s.io", "csinodes", "get", "list", "watch"),
                    rule("storage.k8s.io", "volumeattachments", "get", "list", "watch", "patch"),
                    rule("storage.k8s.io", "volumeattachments/status", "patch"))),
    RESIZER(
            "csi-resizer",
            ContainerImages::resizerImage,
            List.of(
                    rule("", "persistentvolumes", "get", "list", "watch", "patch"),
                    rule("", "persistentvolumeclaims", "get", "list", "watch"),
                    rule("", "persistentvolumeclaims/status", "patch"),
                    rule("", "pods", "get", "list", "watch"),
                    rule("", "events", "list", "watch", "create", "update", "patch"),
                    rule("storage.k8s.io", "volumeattributesclasses", "get", "list", "watch"))),
    SNAPSHOTTER(
            "csi-snapshotter",
            ContainerImages::snapshotterImage,
            List.of(
                    rule("", "events", "list", "watch", "create", "update", "patch"),
                    rule("snapshot.storage.k8s.io", "volumesnapshotclasses", "get", "list", "watch"),
                    rule(
                            "snapshot.storage.k8s.io",
                            "volumesnapshotcontents",
                            "get",
                            "list",
                            "watch",
                            "update",
                            "patch"),
                    rule("snapshot.storage.k8s.io", "volumesnapshotcontents/status", "update", "patch"))),
    REGISTRAR("csi-driver-registrar", ContainerImages::driverRegistrarImage, List.of()),
    LIVENESS("csi-probe", ContainerImages::livenessProbeImage, List.of());

    /** Those that may be added to the pods of nodes. */
    static final Set<Sidecar> ON_NODES = EnumSet.of(REGISTRAR, LIVENESS);
    /** Those that may be added to the pods of controllers. */
    static final Set<Sidecar> BESIDE_CONTROLLERS = EnumSet.of(PROVISIONER, ATTACHER, RESIZER, SNAPSHOTTER, LIVENESS);

    private final String container;
    private final Function<ContainerImages, @Nullable String> image;
    private final List<PolicyRule> rules;

    Sidecar(String container, Function<ContainerImages, @Nullable String> image, List<PolicyRule> rules) {
        this.container = container;
        this.image = image;
        this.rules = rules;
    }

    private static PolicyRule rule(String group, String resource, String... verbs) {
        return new PolicyRuleBuilder()
                .withApiGroups(group)
                .withResources(resource)
                .withVerbs(verbs)
                .build();
    }

    /** What the snapshotter has to be allowed besides, for snapshots of groups. */
    static List<PolicyRule> rulesOfGroups() {
        return List.of(
                rule("groupsnapshot.storage.k8s.io", "volumegroupsnapshotclasses", "get", "list", "watch"),
                rule(
                        "groupsnapshot.storage.k8s.io",
                        "volumegroupsnapshotcontents",
                        "get",
                        "list",
                        "watch",
                        "update",
                        "patch"),
                rule("groupsnapshot.storage.k8s.io", "volumegroupsnapshotcontents/status", "update", "patch"));
    }

    /** What the provisioner has to be allowed besides, to tell the scheduler how much room there is. */
    static List<PolicyRule> rulesOfCapacity() {
        return List.of(
                rule(
                        "storage.k8s.io",
                        "csistoragecapacities",
                        "get",
                        "list",
                        "watch",
                        "create",
                        "update",
                        "patch",
                        "delete"),
                rule("", "pods", "get"),
                rule("apps", "replicasets", "get"));
    }

    /** The name of its container. */
    String container() {
        return container;
    }

    /** Whether a template brings it along beside the driver, by the name of its image, its container or its program. */
    boolean isIn(PodTemplateSpec template) {
        String stock = "external-" + container.substring(container.indexOf('-') + 1);
        return besideDriver(template.getSpec())
                .flatMap(each -> Stream.of(
                                Stream.of(String.valueOf(each.getName()), String.valueOf(each.getImage())),
                                Objects.requireNonNullElse(each.getCommand(), List.<String>of()).stream())
                        .flatMap(Function.identity()))
                .anyMatch(text -> text.contains(container) || text.contains(stock));
    }

    /** What runs for as long as the driver does. Kubernetes knows of sidecars that start before it. */
    private static Stream<Container> besideDriver(PodSpec pod) {
        var early = Objects.requireNonNullElse(pod.getInitContainers(), List.<Container>of()).stream()
                .filter(each -> "Always".equals(each.getRestartPolicy()));
        return Stream.concat(early, pod.getContainers().stream().skip(1));
    }

    /** What it has to be allowed in the whole cluster. */
    List<PolicyRule> rules() {
        return rules;
    }

    /** The image that a deployment asks for, if it does. */
    @Nullable
    String imageOf(ContainerImages images) {
        return image.apply(images);
    }
}
