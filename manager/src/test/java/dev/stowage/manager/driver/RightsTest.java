package dev.stowage.manager.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.DeploymentNames;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Kubernetes lets nobody grant what he does not have. So the manager has, by the chart, what it grants. */
class RightsTest {

    private static final Path FILES = Path.of("..", "charts", "stowage", "files", "manager");

    private static List<PolicyRule> read(String file) throws IOException {
        return new KubernetesSerialization()
                .unmarshal("kind: ClusterRole\nrules:\n" + Files.readString(FILES.resolve(file)), ClusterRole.class)
                .getRules();
    }

    /** What every manager has. */
    private static List<PolicyRule> chart() throws IOException {
        return read("rules.yaml");
    }

    /** What one that looks after clients has besides. */
    private static List<PolicyRule> clients() throws IOException {
        return read("weka-rules.yaml");
    }

    /** Everything that is granted to the account of a driver with all sidecars that there are. */
    private static Stream<PolicyRule> granted() {
        var deployment = new CsiDriverDeployment();
        deployment.getMetadata().setName("driver");
        deployment.getMetadata().setNamespace("namespace");
        deployment.getMetadata().setUid("uid");
        var all = Stream.of(
                        Stream.of(Sidecar.values()).flatMap(sidecar -> sidecar.rules().stream()),
                        Sidecar.rulesOfGroups().stream(),
                        Sidecar.rulesOfCapacity().stream())
                .flatMap(Function.identity())
                .toList();
        var anySecret = new ClassSecrets(Map.of(ClassSecrets.ANY, Set.of(ClassSecrets.ANY)));
        return new Access(new DeploymentNames(deployment), all, anySecret)
                .objects().stream().flatMap(RightsTest::rules);
    }

    private static Stream<PolicyRule> rules(HasMetadata object) {
        return switch (object) {
            case ClusterRole role -> role.getRules().stream();
            case Role role -> role.getRules().stream();
            default -> Stream.empty();
        };
    }

    private static boolean covers(PolicyRule rule, String group, String resource, String verb) {
        return rule.getApiGroups().contains(group)
                && rule.getResources().contains(resource)
                && rule.getVerbs().contains(verb);
    }

    @Test
    void theChartGivesTheManagerEveryRightThatItPassesOn() throws IOException {
        var held = chart();
        assertThat(granted()).isNotEmpty().allSatisfy(rule -> {
            for (String group : rule.getApiGroups()) {
                for (String resource : rule.getResources()) {
                    assertThat(rule.getVerbs())
                            .as("%s in group '%s'", resource, group)
                            .allMatch(verb -> held.stream().anyMatch(each -> covers(each, group, resource, verb)));
                }
            }
        });
    }

    /** To list them would be to read all of them. */
    @Test
    void ofSecretsItMayNotLearnWhichThereAre() throws IOException {
        assertThat(chart())
                .filteredOn(rule -> rule.getResources().contains("secrets"))
                .allSatisfy(rule -> assertThat(rule.getVerbs()).containsExactly("get"));
    }

    @Test
    void theManagerMayNotGrantWhatItDoesNotHave() throws IOException {
        assertThat(Stream.concat(chart().stream(), clients().stream())).allSatisfy(rule -> {
            assertThat(rule.getApiGroups()).doesNotContain("*");
            assertThat(rule.getResources()).doesNotContain("*", "pods/exec");
            assertThat(rule.getVerbs()).doesNotContain("*", "escalate", "bind", "impersonate", "deletecollection");
        });
    }

    @Test
    void whatClientsNeedIsSaidOnce() throws IOException {
        var held = chart();
        assertThat(clients()).isNotEmpty().allSatisfy(rule -> {
            for (String group : rule.getApiGroups()) {
                for (String resource : rule.getResources()) {
                    assertThat(rule.getVerbs())
                            .as("%s in group '%s'", resource, group)
                            .noneMatch(verb -> held.stream().anyMatch(each -> covers(each, group, resource, verb)));
                }
            }
        });
    }
}
