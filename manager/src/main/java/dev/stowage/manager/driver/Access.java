package dev.stowage.manager.driver;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.api.model.rbac.SubjectBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** An account with what the sidecars of a driver need, and nothing to spare. */
final class Access {

    private static final String RBAC = "rbac.authorization.k8s.io";

    private final Naming names;
    private final List<PolicyRule> needed;
    private final ClassSecrets secrets;

    /** @param needed in which the same may be said several times */
    Access(Naming names, List<PolicyRule> needed, ClassSecrets secrets) {
        this.names = names;
        this.needed = needed;
        this.secrets = secrets;
    }

    List<HasMetadata> objects() {
        var objects = new ArrayList<HasMetadata>();
        objects.add(new ServiceAccountBuilder()
                .withMetadata(names.beside(Part.ACCESS, names.account()))
                .build());
        if (needed.isEmpty()) {
            return objects;
        }
        objects.addAll(inTheCluster());
        objects.addAll(in(
                names.beside(Part.ACCESS, names.leaderElection()),
                new PolicyRuleBuilder()
                        .withApiGroups("coordination.k8s.io")
                        .withResources("leases")
                        .withVerbs("get", "list", "watch", "create", "update", "patch", "delete")
                        .build()));
        secrets.named().keySet().stream()
                .filter(namespace -> !namespace.equals(ClassSecrets.ANY))
                .forEach(namespace -> objects.addAll(
                        in(names.in(namespace, Part.ACCESS, names.clusterWide()), secrets.rule(namespace))));
        return objects;
    }

    private List<HasMetadata> inTheCluster() {
        return List.of(
                new ClusterRoleBuilder()
                        .withMetadata(names.clusterWide(Part.ACCESS, names.clusterWide()))
                        .withRules(rules())
                        .build(),
                new ClusterRoleBindingBuilder()
                        .withMetadata(names.clusterWide(Part.ACCESS, names.clusterWide()))
                        .withNewRoleRef(RBAC, "ClusterRole", names.clusterWide())
                        .withSubjects(subject())
                        .build());
    }

    private List<HasMetadata> in(ObjectMeta where, PolicyRule rule) {
        return List.of(
                new RoleBuilder().withMetadata(where).withRules(rule).build(),
                new RoleBindingBuilder()
                        .withMetadata(where)
                        .withNewRoleRef(RBAC, "Role", where.getName())
                        .withSubjects(subject())
                        .build());
    }

    private Subject subject() {
        return new SubjectBuilder()
                .withKind("ServiceAccount")
                .withName(names.account())
                .withNamespace(names.namespace())
                .build();
    }

    /** What several sidecars need is said once. */
    private List<PolicyRule> rules() {
        var verbs = new TreeMap<String, TreeSet<String>>();
        var all = new ArrayList<>(needed);
        if (secrets.named().containsKey(ClassSecrets.ANY)) {
            all.add(secrets.rule(ClassSecrets.ANY));
        }
        for (var rule : all) {
            for (String resource : rule.getResources()) {
                String what = rule.getApiGroups().getFirst() + "|" + resource;
                verbs.computeIfAbsent(what, key -> new TreeSet<>()).addAll(rule.getVerbs());
            }
        }
        return verbs.entrySet().stream()
                .map(each -> {
                    int border = each.getKey().indexOf('|');
                    return new PolicyRuleBuilder()
                            .withApiGroups(each.getKey().substring(0, border))
                            .withResources(each.getKey().substring(border + 1))
                            .withVerbs(List.copyOf(each.getValue()))
                            .build();
                })
                .toList();
    }
}
