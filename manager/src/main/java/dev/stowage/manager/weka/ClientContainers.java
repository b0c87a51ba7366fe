package dev.stowage.manager.weka;

import dev.stowage.core.error.StowageException;
import dev.stowage.kube.Api;
import dev.stowage.kube.Digest;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Condition;
import dev.stowage.kube.weka.WekaClient;
import dev.stowage.kube.weka.WekaContainer;
import dev.stowage.kube.weka.WekaResources;
import dev.stowage.manager.apply.Adoption;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The containers of a client: one on each node that it selects. */
final class ClientContainers {

    /** Names of pods are made of it. */
    private static final int LONGEST_NAME = 54;

    private static final int DIGEST = 8;

    private final KubernetesClient client;
    private final World world;

    ClientContainers(KubernetesClient client, World world) {
        this.client = client;
        this.world = world;
    }

    /**
     * What has become of them.
     *
     * @param desired on how many nodes there should be one
     * @param others those that do not run, each with what it does instead
     * @param errors what could not be done, and why
     */
    record Result(int desired, int created, int active, List<String> others, List<String> errors) {}

    /** @param driver the one that their nodes are to have a server of; nothing for none */
    Result settle(WekaClient owner, @Nullable String driver) {
        var nodes = NodeSelection.of(owner, world.nodes());
        var wanted = new LinkedHashMap<String, WekaContainer>();
        var names = namesOf(owner);
        nodes.forEach(node -> {
            String name = names.containsKey(node) ? names.get(node) : name(owner, node);
            wanted.put(name, container(owner, name, node, driver));
        });
        var present = world.containersOf(owner).stream()
                .collect(Collectors.toMap(
                        each -> each.getMetadata().getName(), each -> each, (one, other) -> one, LinkedHashMap::new));
        var errors = new ArrayList<String>();
        present.forEach((name, each) -> {
            if (!wanted.containsKey(name)) {
                attempt(errors, () -> remove(each));
            }
        });
        wanted.forEach((name, wish) -> attempt(errors, () -> bringAbout(wish, present.get(name))));
        present.keySet().retainAll(wanted.keySet());
        var others = new ArrayList<String>();
        wanted.forEach((name, wish) -> {
            String state = state(present.get(name));
            if (!state.equals(ContainerState.RUNNING)) {
                others.add("%s on %s (%s)".formatted(name, wish.getSpec().nodeAffinity(), state));
            }
        });
        refusal(present.values()).ifPresent(errors::add);
        return new Result(nodes.size(), present.size(), nodes.size() - others.size(), others, errors);
    }

    /** Why pods stay as they were: of one, as a rule it is the same for all. */
    private static Optional<String> refusal(Collection<WekaContainer> containers) {
        var refused = new ArrayList<String>();
        for (var container : containers) {
            Objects.requireNonNullElse(container.getStatus().conditions(), List.<Condition>of()).stream()
                    .filter(condition -> ContainerState.REFUSED.equals(condition.reason()))
                    .map(condition -> "%s: %s".formatted(Adoption.named(container), condition.message()))
                    .forEach(refused::add);
        }
        int more = refused.size() - 1;
        return refused.stream().findFirst().map(first -> more > 0 ? first + "; and %d more".formatted(more) : first);
    }

    private static String state(@Nullable WekaContainer container) {
        String told = container == null ? null : container.getStatus().status();
        return Objects.requireNonNullElse(told, "Init");
    }

    private static void attempt(List<String> errors, Runnable step) {
        try {
            step.run();
        } catch (StowageException failed) {
            errors.add(failed.getMessage());
        }
    }

    /** @return which could not be removed, and why */
    List<String> removeAll(WekaClient owner) {
        var errors = new ArrayList<String>();
        world.containersOf(owner).forEach(each -> attempt(errors, () -> remove(each)));
        return errors;
    }

    private void remove(WekaContainer container) {
        if (container.getMetadata().getDeletionTimestamp() == null) {
            Api.call(Adoption.named(container), () -> client.resource(container).delete());
        }
    }

    private void bringAbout(WekaContainer wish, @Nullable WekaContainer present) {
        String what = Adoption.named(wish);
        if (present == null) {
            if (world.container(Key.named(wish)).isPresent()) {
                throw StowageException.unavailable("%s is there, and does not belong to this client; remove it", what);
            }
            if (Api.attempt(what, () -> client.resource(wish).create()).isEmpty()) {
                throw StowageException.unavailable("%s has just been made", what);
            }
            return;
        }
        if (present.getMetadata().getDeletionTimestamp() != null) {
            // The next one comes when it is gone.
            return;
        }
        if (!written(present).equals(written(wish))) {
            var changed = client.getKubernetesSerialization().clone(present);
            changed.setSpec(wish.getSpec());
            if (Api.attempt(
                            what,
                            () -> client.resource(changed).lockResourceVersion().update())
                    .isEmpty()) {
                throw StowageException.unavailable("%s has changed meanwhile", what);
            }
        }
    }

    /** What is empty is not written, and comes back as nothing. */
    private Map<?, ?> written(WekaContainer container) {
        return client.getKubernetesSerialization().convertValue(Map.of("spec", container.getSpec()), Map.class);
    }

    /** By the node: what is there keeps its name. */
    private Map<String, String> namesOf(WekaClient owner) {
        return world.containersOf(owner).stream()
                .filter(each -> each.getSpec().nodeAffinity() != null)
                .collect(Collectors.toMap(
                        each -> Objects.requireNonNull(each.getSpec().nodeAffinity()),
                        each -> each.getMetadata().getName(),
                        (one, other) -> one.compareTo(other) < 0 ? one : other));
    }

    /** The usual one may be that of another client on another node: a-b on c, and a on b-c. */
    private String name(WekaClient owner, String node) {
        String whole = owner.getMetadata().getName() + "-" + node;
        String clean = DriverNames.clean(whole);
        String usual = DriverNames.bounded(clean, whole, LONGEST_NAME);
        boolean taken = world.container(owner.getMetadata().getNamespace() + "/" + usual)
                .filter(other -> !isOf(owner, other))
                .isPresent();
        if (clean.equals(whole) && !taken) {
            return usual;
        }
        int most = LONGEST_NAME - DIGEST - 1;
        return (clean.length() <= most ? clean : clean.substring(0, most).replaceAll("-+$", ""))
                + "-"
                + Digest.of(owner.getMetadata().getName() + "/" + node).substring(0, DIGEST);
    }

    private boolean isOf(WekaClient owner, WekaContainer container) {
        return world.containersOf(owner).stream()
                .anyMatch(each -> Key.named(each).equals(Key.named(container)));
    }

    private static WekaContainer container(WekaClient owner, String name, String node, @Nullable String driver) {
        var spec = owner.getSpec();
        var container = new WekaContainer();
        container.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(owner.getMetadata().getNamespace())
                .withLabels(Map.of(
                        WekaResources.CLIENT,
                        WekaNames.label(owner.getMetadata().getName()),
                        WekaResources.MODE,
                        WekaResources.MODE_CLIENT))
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion(owner.getApiVersion())
                        .withKind(owner.getKind())
                        .withName(owner.getMetadata().getName())
                        .withUid(owner.getMetadata().getUid())
                        .withController(true)
                        .build())
                .build());
        container.setSpec(new WekaContainer.Spec(
                node,
                WekaResources.MODE_CLIENT,
                spec.image(),
                spec.imagePullSecret(),
                spec.port(),
                spec.agentPort(),
                spec.portRange(),
                spec.wekaSecretRef(),
                spec.joinIpPorts(),
                Tolerations.of(spec),
                spec.serviceAccountName(),
                spec.resources(),
                spec.readinessProbe(),
                spec.upgradePolicy() == null ? null : spec.upgradePolicy().type(),
                driver,
                null));
        return container;
    }
}
