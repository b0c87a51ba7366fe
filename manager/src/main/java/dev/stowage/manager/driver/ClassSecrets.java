package dev.stowage.manager.driver;

import dev.stowage.kube.csidriver.CsiDriverDeployment.StorageClassTemplate;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The Secrets that the sidecars of a driver have to read, because its classes or volumes name them. Those for nodes are read by the
 * kubelet.
 *
 * @param named by namespace; {@link #ANY} stands for all of a namespace, and as the namespace for all of the cluster
 */
record ClassSecrets(Map<String, Set<String>> named) {

    static final String ANY = "*";

    private static final String PREFIX = "csi.storage.k8s.io/";
    private static final List<String> PURPOSES =
            List.of("provisioner-secret", "controller-publish-secret", "controller-expand-secret");

    static ClassSecrets of(List<StorageClassTemplate> classes, Set<Volumes.Secret> ofVolumes) {
        var named = new TreeMap<String, Set<String>>();
        ofVolumes.forEach(secret -> named.computeIfAbsent(secret.namespace(), key -> new TreeSet<>())
                .add(secret.name()));
        for (var template : classes) {
            var parameters = template.parameters() == null ? Map.<String, String>of() : template.parameters();
            for (String purpose : PURPOSES) {
                String name = parameters.get(PREFIX + purpose + "-name");
                String namespace = parameters.get(PREFIX + purpose + "-namespace");
                if (name != null && namespace != null) {
                    named.computeIfAbsent(fixed(namespace), key -> new TreeSet<>())
                            .add(fixed(name));
                }
            }
        }
        return new ClassSecrets(named);
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
