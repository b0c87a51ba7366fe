package dev.stowage.kube.weka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.HandWrittenDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The definitions that the chart installs hold what is read and written here, and what the original's users write beyond that. */
class DefinitionsTest {

    private static final Path EXAMPLE = Path.of("..", "docs", "examples", "weka-client.yaml");

    private static HandWrittenDefinition of(Class<? extends CustomResource<?, ?>> type) throws IOException {
        return HandWrittenDefinition.of("weka", type);
    }

    @ParameterizedTest
    @ValueSource(classes = {WekaClient.class, WekaContainer.class, WekaCluster.class})
    void theDefinitionIsCalledAsItsTypeAndStays(Class<? extends CustomResource<?, ?>> type) throws IOException {
        of(type).checkNames();
    }

    @ParameterizedTest
    @ValueSource(classes = {WekaClient.class, WekaContainer.class, WekaCluster.class})
    void everyFieldOfTheTypeIsInTheDefinitionAtItsPlace(Class<? extends CustomResource<?, ?>> type) throws IOException {
        of(type).checkFields();
    }

    @Test
    void everyFieldOfTheOriginalsClientIsInTheDefinition() throws IOException {
        var client = of(WekaClient.class);

        assertThat(client.part("spec").getProperties())
                .containsOnlyKeys(
                        "image",
                        "imagePullSecret",
                        "port",
                        "agentPort",
                        "portRange",
                        "nodeSelector",
                        "wekaSecretRef",
                        "network",
                        "driversDistService",
                        "joinIpPorts",
                        "targetCluster",
                        "cpuPolicy",
                        "cpuRequest",
                        "coresNum",
                        "coreIds",
                        "tracesConfiguration",
                        "tolerations",
                        "rawTolerations",
                        "serviceAccountName",
                        "additionalMemory",
                        "resources",
                        "readinessProbe",
                        "hugepages",
                        "hugepagesOffset",
                        "wekaHome",
                        "upgradePolicy",
                        "allowHotUpgrade",
                        "overrides",
                        "autoRemoveTimeout",
                        "globalPVC",
                        "csiGroup",
                        "csiConfig");
        assertThat(client.part("spec", "network").getProperties())
                .containsOnlyKeys(
                        "ethDevice",
                        "ethDevices",
                        "gateway",
                        "udpMode",
                        "deviceSubnets",
                        "selectors",
                        "managementIpsSelectors",
                        "bindManagementAll",
                        "nvidiaVfSingleIp");
        assertThat(client.part("spec", "overrides").getProperties())
                .containsOnlyKeys(
                        "driversBuildId",
                        "driversLoaderImage",
                        "machineIdentifierNodeRef",
                        "forceDrain",
                        "skipActiveMountsCheck",
                        "umountOnHost",
                        "dropAffinityConstraints",
                        "wekaContainerName");
        assertThat(client.part("spec", "globalPVC").getProperties()).containsOnlyKeys("name", "path");
    }

    @Test
    void theExampleHasOnlyFieldsThatAreKnownAndCanBeRead() throws IOException {
        String example = Stream.of(Files.readString(EXAMPLE).split("(?m)^---$"))
                .filter(document -> document.contains("kind: WekaClient\n"))
                .findFirst()
                .orElseThrow();
        var json = new KubernetesSerialization();
        Map<?, ?> fields = (Map<?, ?>)
                Objects.requireNonNull(json.unmarshal(example, Map.class).get("spec"));

        assertThat(of(WekaClient.class).part("spec").getProperties().keySet().stream()
                        .map(Object.class::cast))
                .containsAll(fields.keySet());
        var spec = json.unmarshal(example, WekaClient.class).getSpec();
        assertThat(spec.unreadable()).isNull();
        assertThat(spec.targetCluster()).isEqualTo(new WekaClient.TargetCluster("prod", "weka"));
    }

    /** Later versions of the original have further fields at any place. */
    @ParameterizedTest
    @ValueSource(classes = {WekaClient.class, WekaContainer.class, WekaCluster.class})
    void whatIsNotListedIsKeptAtEveryPlaceOfTheSpec(Class<? extends CustomResource<?, ?>> type) throws IOException {
        assertThat(objects(of(type).part("spec")))
                .isNotEmpty()
                .allSatisfy(schema ->
                        assertThat(schema.getXKubernetesPreserveUnknownFields()).isTrue());
    }

    private static Stream<JSONSchemaProps> objects(JSONSchemaProps schema) {
        var below = Stream.concat(
                Stream.ofNullable(schema.getItems()).map(items -> Objects.requireNonNull(items.getSchema())),
                schema.getProperties() == null ? Stream.empty() : schema.getProperties().values().stream());
        boolean isOne = schema.getType().equals("object") && schema.getAdditionalProperties() == null;
        return Stream.concat(isOne ? Stream.of(schema) : Stream.empty(), below.flatMap(DefinitionsTest::objects));
    }
}
