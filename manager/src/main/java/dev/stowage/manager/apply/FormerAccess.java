package dev.stowage.manager.apply;

import dev.stowage.kube.Api;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Accounts and rights that are not wanted any more, as long as pods have them or may get them again.
 *
 * <p>A template that names another account takes its time to reach all pods, and may be taken back. Until then the pods of the former
 * one work, and without their account they would not.
 */
public final class FormerAccess {

    private static final Set<String> ACCESS =
            Set.of("ServiceAccount", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding");
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    private final KubernetesClient client;
    private final Children children;

    public FormerAccess(KubernetesClient client, Children children) {
        this.client = client;
        this.children = children;
    }

    /**
     * What the pods of an owner are to be like.
     *
     * @param node the pod of a node
     * @param controller the Deployment of the controller, if there is to be one
     * @param lastGood the template that comes back to the nodes if the wanted one does not work
     */
    public record Wish(PodTemplateSpec node, Optional<Deployment> controller, Optional<PodTemplateSpec> lastGood) {

        /** @param objects all that are wanted */
        public static Wish of(PodTemplateSpec node, List<HasMetadata> objects, Optional<PodTemplateSpec> lastGood) {
            return new Wish(node, first(objects, Deployment.class), lastGood);
        }
    }

    /** Whether an object is there so that pods may talk to the API server. */
    public static boolean isAccess(HasMetadata object) {
        return ACCESS.contains(object.getKind());
    }

    /** @param wanted all objects that are */
    public List<HasMetadata> of(String owner, List<HasMetadata> wanted, Wish wish) {
        var present = children.of(owner);
        Set<String> names = wanted.stream().map(Adoption::named).collect(Collectors.toSet());
        var unwanted = present.stream()
                .filter(FormerAccess::isAccess)
                .filter(object -> !names.contains(Adoption.named(object)))
                .toList();
        boolean needed = !unwanted.isEmpty()
                && all(present, ServiceAccount.class)
                        .anyMatch(account -> isNeeded(account, names.contains(Adoption.named(account)), present, wish));
        return needed ? unwanted : List.of();
    }

    /**
     * Whether somebody has an account who is not to have it.
     *
     * @param wanted whether others are
     */
    private boolean isNeeded(ServiceAccount account, boolean wanted, List<HasMetadata> present, Wish wish) {
        boolean nodes = !wanted || !has(wish.node(), account);
        boolean controller = !wanted
                || wish.controller()
                        .filter(each -> has(each.getSpec().getTemplate(), account))
                        .isEmpty();
        return nodes && nodesHave(account, present, wish)
                || controller && controllerHas(account, present)
                || (nodes || controller) && pods(account).anyMatch(pod -> isOfController(pod) ? controller : nodes);
    }

    private static boolean nodesHave(ServiceAccount account, List<HasMetadata> present, Wish wish) {
        return Stream.concat(
                        wish.lastGood().stream(),
                        beside(account, present, DaemonSet.class)
                                .map(set -> set.getSpec().getTemplate()))
                .anyMatch(template -> has(template, account));
    }

    private static boolean controllerHas(ServiceAccount account, List<HasMetadata> present) {
        return beside(account, present, Deployment.class)
                .anyMatch(each -> has(each.getSpec().getTemplate(), account) || isUnderWay(each));
    }

    /** Until enough pods of the new template run, Kubernetes makes a former one anew that ends. */
    private static boolean isUnderWay(Deployment controller) {
        var status = controller.getStatus();
        return status == null
                || !Objects.equals(controller.getMetadata().getGeneration(), status.getObservedGeneration())
                || number(status.getUpdatedReplicas())
                        < number(controller.getSpec().getReplicas())
                || number(status.getUpdatedReplicas()) < number(status.getReplicas());
    }

    private static int number(@Nullable Integer value) {
        return value == null ? 0 : value;
    }

    /** As the API server knows them. Pods of an adopted driver may have none of our labels. */
    private Stream<Pod> pods(ServiceAccount account) {
        var metadata = account.getMetadata();
        return Api.call(
                        "pods of " + Adoption.named(account),
                        () -> client.pods()
                                .inNamespace(metadata.getNamespace())
                                .withField("spec.serviceAccountName", metadata.getName())
                                .list()
                                .getItems())
                .stream()
                .filter(pod -> pod.getStatus() == null
                        || !ENDED.contains(String.valueOf(pod.getStatus().getPhase())));
    }

    private static boolean isOfController(Pod pod) {
        return pod.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> owner.getKind().equals("ReplicaSet"));
    }

    private static boolean has(PodTemplateSpec template, ServiceAccount account) {
        return account.getMetadata().getName().equals(account(template.getSpec()));
    }

    /** By the field of now, or by the one of before, which Kubernetes still takes. */
    private static String account(PodSpec pod) {
        return Stream.of(pod.getServiceAccountName(), pod.getServiceAccount())
                .filter(name -> name != null && !name.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static <T extends HasMetadata> Stream<T> beside(
            ServiceAccount account, List<HasMetadata> objects, Class<T> type) {
        return all(objects, type)
                .filter(object -> Objects.equals(
                        account.getMetadata().getNamespace(),
                        object.getMetadata().getNamespace()));
    }

    private static <T extends HasMetadata> Stream<T> all(List<HasMetadata> objects, Class<T> type) {
        return objects.stream().filter(type::isInstance).map(type::cast);
    }

    private static <T extends HasMetadata> Optional<T> first(List<HasMetadata> objects, Class<T> type) {
        return all(objects, type).findFirst();
    }
}
