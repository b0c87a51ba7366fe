package dev.stowage.manager.driver;

import dev.stowage.kube.csidriver.CsiDriverDeployment.StorageClassTemplate;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The Secrets that the sidecars of a driver have to read, because its classes or volumes name them. Those for nodes are read by the
 * kubelet.
 *
 * @param named by namespace; {@link #ANY} stands for all of a namespace, and as the namespace for all of the cluster
 */
record ClassSecrets(Map<String, Set<String>> named) {

    static final String ANY = "*";

    /** The parameters by which a class names the one that is used where it names none for a purpose. */
    private static final Keys FOR_ALL = Keys.now("");

    /** By the purpose: its parameters of now, and those of before, which the provisioner still takes. */
    private static final List<List<Keys>> PURPOSES = List.of(
            List.of(Keys.now("provisioner-"), Keys.former("Provisioner")),
            List.of(Keys.now("controller-publish-"), Keys.former("ControllerPublish")),
            List.of(Keys.now("controller-expand-")));

    private record Keys(String name, String namespace) {

        static Keys now(String purpose) {
            String key = "csi.storage.k8s.io/" + purpose + "secret-";
            return new Keys(key + "name", key + "namespace");
        }

        static Keys former(String purpose) {
            String key = "csi" + purpose + "Secret";
            return new Keys(key + "Name", key + "Namespace");
        }
    }

    static ClassSecrets of(List<StorageClassTemplate> classes, Set<Volumes.Secret> ofVolumes) {
        var all = new HashSet<>(ofVolumes);
        for (var template : classes) {
            var parameters = template.parameters() == null ? Map.<String, String>of() : template.parameters();
            for (var keys : PURPOSES) {
                secret(parameters, keys)
                        .or(() -> secret(parameters, List.of(FOR_ALL)))
                        .ifPresent(all::add);
            }
        }
        var named = new TreeMap<String, Set<String>>();
        all.forEach(secret -> named.computeIfAbsent(secret.namespace(), key -> new TreeSet<>())
                .add(secret.name()));
        return new ClassSecrets(named);
    }

    /** The name may be said in one way and the namespace in the other. */
    private static Optional<Volumes.Secret> secret(Map<String, String> parameters, List<Keys> keys) {
        var name = first(parameters, keys.stream().map(Keys::name));
        var namespace = first(parameters, keys.stream().map(Keys::namespace));
        return name.flatMap(one -> namespace.map(other -> new Volumes.Secret(fixed(other), fixed(one))));
    }

    private static Optional<String> first(Map<String, String> parameters, Stream<String> keys) {
        return keys.map(parameters::get)
                .filter(value -> value != null && !value.isEmpty())
                .findFirst();
    }

    /** A name that depends on the claim can be any. */
    private static String fixed(String name) {
        return name.contains("$") ? ANY : name;
    }

    /** What has to be allowed in one of the namespaces. */
    PolicyRule rule(String namespace) {
        var names = named.getOrDefault(namespace, Set.of());
        var rule = new PolicyRuleBuilder()
                .withApiGroups("")
                .withResources("secrets")
                .withVerbs("get");
        return namespace.equals(ANY) || names.contains(ANY)
                ? rule.build()
                : rule.withResourceNames(List.copyOf(names)).build();
    }
}
