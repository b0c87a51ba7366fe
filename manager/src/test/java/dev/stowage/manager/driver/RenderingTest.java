package dev.stowage.manager.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.DeploymentNames;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.storage.CSIDriver;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The document that defines the resource, sentence by sentence. */
class RenderingTest {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();
    private static final RenderingSettings SETTINGS = new RenderingSettings(
            SidecarImages.of("stowage:1", "provisioner:1", "resizer:1", "snapshotter:1"),
            "/var/lib/kubelet",
            Map.of(),
            1);

    private static String manifest() {
        try (InputStream stream = Objects.requireNonNull(RenderingTest.class.getResourceAsStream("/hostpath.yaml"))) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static List<HasMetadata> rendered(UnaryOperator<String> change, Optional<Report> report) {
        return rendered(change, report, SETTINGS, Volumes.NONE);
    }

    private static List<HasMetadata> rendered(
            UnaryOperator<String> change, Optional<Report> report, RenderingSettings settings, Volumes volumes) {
        var deployment = SERIALIZATION.unmarshal(change.apply(manifest()), CsiDriverDeployment.class);
        assertThat(Validation.problems("driver", deployment.getSpec())).isEmpty();
        return new Rendering(
                        deployment.getSpec(), new DeploymentNames(deployment), Habits.USUAL, settings, report, volumes)
                .objects();
    }

    private static List<HasMetadata> rendered() {
        return rendered(UnaryOperator.identity(), Report.NONE);
    }

    private static <T extends HasMetadata> T only(Class<T> type, List<HasMetadata> objects) {
        return objects.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow();
    }

    private static Container container(List<Container> among, String name) {
        return among.stream()
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<Container> nodeContainers(List<HasMetadata> objects) {
        return only(DaemonSet.class, objects).getSpec().getTemplate().getSpec().getContainers();
    }

    private static List<Container> controllerContainers(List<HasMetadata> objects) {
        return only(Deployment.class, objects).getSpec().getTemplate().getSpec().getContainers();
    }

    @Test
    void theSocketOfANodeIsADirectoryOfTheHostAndTheKubeletsIsShared() {
        var pod = only(DaemonSet.class, rendered()).getSpec().getTemplate().getSpec();

        assertThat(pod.getVolumes())
                .filteredOn(volume -> volume.getHostPath() != null)
                .extracting(volume -> volume.getHostPath().getPath())
                .contains(
                        "/var/lib/kubelet/csi-hostpath/",
                        "/var/lib/kubelet/",
                        "/var/lib/kubelet/plugins_registry/",
                        "/tmp");
        var driver = pod.getContainers().getFirst();
        assertThat(driver.getVolumeMounts())
                .anySatisfy(mount -> {
                    assertThat(mount.getName()).isEqualTo(Pods.SOCKET);
                    assertThat(mount.getMountPath()).isEqualTo("/run/csi");
                })
                .anySatisfy(mount -> {
                    assertThat(mount.getMountPath()).isEqualTo("/var/lib/kubelet/");
                    assertThat(mount.getMountPropagation()).isEqualTo("Bidirectional");
                })
                .anySatisfy(mount -> assertThat(mount.getMountPath()).isEqualTo("/tmp"));
    }

    @Test
    void aNodeHasARegistrarAndIsNotProbedUnlessThatIsAskedFor() {
        var containers = nodeContainers(rendered());

        assertThat(containers).extracting(Container::getName).containsExactly("csi-driver", "csi-driver-registrar");
        assertThat(container(containers, "csi-driver-registrar").getArgs())
                .contains(
                        "--csi-address=/csi/csi.sock",
                        "--kubelet-registration-path=/var/lib/kubelet/csi-hostpath/csi.sock");
        assertThat(containers.getFirst().getLivenessProbe()).isNull();

        var probed = nodeContainers(rendered(
                text -> text.replace("  driverSocket:", "  probePeriodSeconds: 7\n  driverSocket:"), Report.NONE));
        assertThat(probed).extracting(Container::getName).contains("csi-probe");
        assertThat(probed.getFirst().getLivenessProbe().getPeriodSeconds()).isEqualTo(7);
        assertThat(probed.getFirst().getLivenessProbe().getFailureThreshold()).isEqualTo(3);
        assertThat(probed.getFirst().getLivenessProbe().getTimeoutSeconds()).isEqualTo(30);
    }

    @Test
    void aControllerAlwaysHasProvisionerAttacherAndAProbeEveryMinute() {
        var deployment = only(Deployment.class, rendered());
        var containers = deployment.getSpec().getTemplate().getSpec().getContainers();

        assertThat(containers)
                .extracting(Container::getName)
                .containsExactly("csi-driver", "csi-provisioner", "csi-attacher", "csi-probe");
        assertThat(containers.getFirst().getLivenessProbe().getPeriodSeconds()).isEqualTo(60);
        assertThat(containers.getFirst().getLivenessProbe().getFailureThreshold())
                .isEqualTo(3);
        assertThat(container(containers, "csi-attacher").getArgs()).startsWith("sidecar", "attacher");
        assertThat(container(containers, "csi-attacher").getSecurityContext().getPrivileged())
                .isTrue();
        assertThat(deployment.getSpec().getTemplate().getSpec().getVolumes())
                .anySatisfy(volume -> assertThat(volume.getEmptyDir()).isNotNull());
        assertThat(deployment.getSpec().getTemplate().getSpec().getServiceAccountName())
                .isEqualTo("csi-hostpath");
    }

    @Test
    void aPodOfANodeIsReadyWhenItsDriverIsRegisteredAndAnswers() {
        var objects = rendered(
                text -> text.replace("  driverSocket:", "  probeTimeoutSeconds: 9\n  driverSocket:"), Report.NONE);
        var registrar = container(nodeContainers(objects), "csi-driver-registrar");

        assertThat(registrar.getArgs())
                .startsWith("sidecar", "registrar")
                .contains("--http-endpoint=:9809", "--timeout=9s", "--kubelet-directory=/var/lib/kubelet");
        assertThat(registrar.getReadinessProbe().getHttpGet().getPath()).isEqualTo("/readyz");
        assertThat(registrar.getReadinessProbe().getHttpGet().getPort().getIntVal())
                .isEqualTo(9809);
        assertThat(registrar.getReadinessProbe().getPeriodSeconds()).isEqualTo(5);
        assertThat(registrar.getReadinessProbe().getFailureThreshold()).isEqualTo(3);
        assertThat(registrar.getReadinessProbe().getTimeoutSeconds()).isEqualTo(9);
    }

    @Test
    void aRegistrarThatIsNotOursIsAskedOnlyWhatItKnowsAndSeesNothingOfTheNode() {
        var objects = rendered(
                text -> text.replace(
                        "  driverSocket:", "  containerImages: {driverRegistrarImage: 'stock:2'}\n  driverSocket:"),
                Report.NONE);
        var registrar = container(nodeContainers(objects), "csi-driver-registrar");

        assertThat(registrar.getImage()).isEqualTo("stock:2");
        assertThat(registrar.getArgs())
                .containsExactly(
                        "--csi-address=/csi/csi.sock",
                        "--kubelet-registration-path=/var/lib/kubelet/csi-hostpath/csi.sock",
                        "--http-endpoint=:9809");
        assertThat(registrar.getReadinessProbe().getHttpGet().getPath()).isEqualTo("/healthz");
        assertThat(only(DaemonSet.class, objects)
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getVolumes())
                .noneMatch(volume -> volume.getName().equals(Pods.HOST_PROC));
    }

    @Test
    void theNodesProcIsReadOnlyAndForTheRegistrarAlone() {
        var pod = only(DaemonSet.class, rendered()).getSpec().getTemplate().getSpec();

        assertThat(pod.getVolumes())
                .anyMatch(volume -> volume.getName().equals(Pods.HOST_PROC)
                        && volume.getHostPath().getPath().equals("/proc"));
        for (var each : pod.getContainers()) {
            assertThat(each.getVolumeMounts())
                    .filteredOn(mount -> mount.getName().equals(Pods.HOST_PROC))
                    .hasSize(each.getName().equals("csi-driver-registrar") ? 1 : 0)
                    .allMatch(mount -> mount.getReadOnly());
        }
        assertThat(container(pod.getContainers(), "csi-driver-registrar").getArgs())
                .contains("--host-proc=/host/proc");
    }

    @Test
    void aControllerIsReadyWhenItsDriverAnswersAndTheFormerOneStaysUntilThen() {
        var deployment = only(Deployment.class, rendered());
        var probe = container(deployment.getSpec().getTemplate().getSpec().getContainers(), "csi-probe");

        assertThat(probe.getArgs()).contains("--health-port=9808");
        assertThat(probe.getReadinessProbe().getHttpGet().getPath()).isEqualTo("/livez");
        assertThat(probe.getReadinessProbe().getHttpGet().getPort().getIntVal()).isEqualTo(9808);
        assertThat(probe.getReadinessProbe().getTimeoutSeconds()).isEqualTo(30);
        var rolling = deployment.getSpec().getStrategy().getRollingUpdate();
        assertThat(rolling.getMaxUnavailable().getIntVal()).isZero();
        assertThat(rolling.getMaxSurge().getIntVal()).isEqualTo(1);
    }

    @Test
    void podsInTheNetworkOfTheirNodeDoNotMeetAtOnePort() {
        UnaryOperator<String> shared = text -> text.replace(
                        "  driverSocket:", "  probePeriodSeconds: 7\n  driverSocket:")
                .replace("    spec:\n      containers:", "    spec:\n      hostNetwork: true\n      containers:");
        var one = rendered(shared, Report.NONE);
        var other = rendered(
                text -> shared.apply(text).replace("driverName: csi-hostpath", "driverName: csi-other"), Report.NONE);

        assertThat(Stream.of(one, other)
                        .flatMap(objects -> ports(objects).stream())
                        .toList())
                .hasSize(6)
                .doesNotHaveDuplicates()
                .allMatch(port -> port >= 20_000 && port < 30_000);
        assertThat(ports(rendered(shared, Report.NONE))).isEqualTo(ports(one));
        // The former controller has the port that the new one needs.
        assertThat(only(Deployment.class, one)
                        .getSpec()
                        .getStrategy()
                        .getRollingUpdate()
                        .getMaxSurge()
                        .getIntVal())
                .isZero();
    }

    private static List<Integer> ports(List<HasMetadata> objects) {
        return Stream.concat(nodeContainers(objects).stream(), controllerContainers(objects).stream())
                .flatMap(each -> each.getArgs().stream())
                .filter(argument -> argument.startsWith("--health-port=") || argument.startsWith("--http-endpoint=:"))
                .map(argument -> Integer.valueOf(argument.replaceFirst(".*[=:]", "")))
                .toList();
    }

    @Test
    void aProbeOfTheTemplateIsNeverReplaced() {
        var containers = nodeContainers(rendered(
                text -> text.replace("  driverSocket:", "  probePeriodSeconds: 7\n  driverSocket:")
                        .replaceFirst(
                                "        name: csi-driver\n",
                                "        name: csi-driver\n        livenessProbe: {exec: {command: [\"true\"]}, periodSeconds: 99}\n"),
                Report.NONE));

        assertThat(containers.getFirst().getLivenessProbe().getPeriodSeconds()).isEqualTo(99);
        assertThat(containers.getFirst().getLivenessProbe().getExec()).isNotNull();
    }

    @Test
    void whatTheDriverCanDoDecidesAboutFurtherSidecars() {
        var able = Optional.of(new Report("csi-hostpath", "1", Set.of("EXPAND_VOLUME", "CREATE_DELETE_SNAPSHOT")));

        assertThat(controllerContainers(rendered(UnaryOperator.identity(), able)))
                .extracting(Container::getName)
                .contains("csi-resizer", "csi-snapshotter");
        assertThat(controllerContainers(rendered(
                        text -> text.replace("  driverSocket:", "  sidecars: {resizer: Never}\n  driverSocket:"),
                        able)))
                .extracting(Container::getName)
                .doesNotContain("csi-resizer");
        var rules = only(ClusterRole.class, rendered(UnaryOperator.identity(), able))
                .getRules();
        assertThat(rules).anySatisfy(rule -> assertThat(rule.getResources()).contains("volumesnapshotcontents/status"));
        assertThat(only(ClusterRole.class, rendered()).getRules())
                .noneSatisfy(rule -> assertThat(rule.getResources()).contains("volumesnapshotcontents/status"));
        assertThat(only(CSIDriver.class, rendered(UnaryOperator.identity(), able))
                        .getSpec()
                        .getAttachRequired())
                .isFalse();
    }

    @Test
    void whoCanSnapshotGroupsHasASnapshotterForThatAndItsRights() {
        var able = Optional.of(new Report("csi-hostpath", "1", Set.of("CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT")));
        var objects = rendered(UnaryOperator.identity(), able);

        assertThat(container(controllerContainers(objects), "csi-snapshotter").getArgs())
                .contains("--feature-gates=CSIVolumeGroupSnapshot=true");
        assertThat(only(ClusterRole.class, objects).getRules())
                .anySatisfy(rule -> assertThat(rule.getResources()).contains("volumegroupsnapshotcontents"));
    }

    private static List<String> sidecarsOf(String sidecars, String... capabilities) {
        return controllerContainers(rendered(
                        text -> text.replace("  driverSocket:", "  sidecars: {" + sidecars + "}\n  driverSocket:"),
                        Optional.of(new Report("csi-hostpath", "1", Set.of(capabilities)))))
                .stream()
                .map(Container::getName)
                .toList();
    }

    @Test
    void aSnapshotterThatIsNeverToBeThereIsNotWhateverTheDriverCanDo() {
        String groups = "CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT";

        assertThat(sidecarsOf("snapshotter: Never", "CREATE_DELETE_SNAPSHOT", groups))
                .doesNotContain("csi-snapshotter");
        assertThat(sidecarsOf("snapshotter: Never, groupSnapshots: Always", groups))
                .doesNotContain("csi-snapshotter");
        assertThat(sidecarsOf("groupSnapshots: Never", groups)).doesNotContain("csi-snapshotter");
    }

    @Test
    void whoeverExpandsVolumesOnNodesAloneHasAResizerAndWhoeverOnlyChangesThemHasNone() {
        assertThat(sidecarsOf("", "NODE_EXPAND_VOLUME")).contains("csi-resizer");
        assertThat(sidecarsOf("", "MODIFY_VOLUME")).doesNotContain("csi-resizer");
        assertThat(sidecarsOf("resizer: Always", "MODIFY_VOLUME")).contains("csi-resizer");
        assertThat(sidecarsOf("resizer: Never", "EXPAND_VOLUME", "NODE_EXPAND_VOLUME"))
                .doesNotContain("csi-resizer");
    }

    @Test
    void groupsThatAreLeftOutTakeNeitherTheSnapshotterNorWhatElseIsToldAway() {
        var able = new Report(
                "csi-hostpath", "1", Set.of("CREATE_DELETE_SNAPSHOT", "CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT"));
        var objects = rendered(UnaryOperator.identity(), Optional.of(able.withoutGroupSnapshots()));

        assertThat(container(controllerContainers(objects), "csi-snapshotter").getArgs())
                .noneMatch(argument -> argument.contains("CSIVolumeGroupSnapshot"));
        assertThat(able.withoutGroupSnapshots().name()).isEqualTo("csi-hostpath");
    }

    @Test
    void aLivenessProbeOfTheTemplateKeepsItsPortAndIsNotInTheWay() {
        var objects = rendered(
                text -> text.replaceFirst(
                        "(driverControllerTemplate:\n    spec:\n      containers:\n(?:      .*\n)+?)(  driverSocket:)",
                        "$1      - {name: own, image: 'registry.k8s.io/sig-storage/livenessprobe:v2.14.0'}\n$2"),
                Report.NONE);
        var containers = controllerContainers(objects);
        var probe = container(containers, "csi-probe");

        assertThat(containers).extracting(Container::getName).contains("own");
        assertThat(probe.getArgs()).contains("--health-port=9809");
        assertThat(probe.getReadinessProbe().getHttpGet().getPort().getIntVal()).isEqualTo(9809);
        assertThat(containers
                        .getFirst()
                        .getLivenessProbe()
                        .getHttpGet()
                        .getPort()
                        .getIntVal())
                .isEqualTo(9809);
    }

    @Test
    void sidecarsAreAsLargeAndAsFastAsTheVolumesAreMany() {
        var few = provisioner(Volumes.NONE);
        var many = provisioner(new Volumes(10_000, Set.of()));

        assertThat(few.getArgs()).contains("--kube-api-qps=20", "--worker-threads=10");
        assertThat(many.getArgs()).contains("--kube-api-qps=500", "--worker-threads=100");
        assertThat(Quantity.getAmountInBytes(many.getResources().getRequests().get("memory")))
                .isGreaterThan(Quantity.getAmountInBytes(
                        few.getResources().getRequests().get("memory")));
    }

    private static Container provisioner(Volumes volumes) {
        return container(
                controllerContainers(rendered(UnaryOperator.identity(), Report.NONE, SETTINGS, volumes)),
                "csi-provisioner");
    }

    @Test
    void controllersAreOnInfrastructureNodesUnlessTheirTemplateSaysWhere() {
        var settings = new RenderingSettings(SETTINGS.images(), "/var/lib/kubelet", Map.of("role", "infra"), 1);
        var usual = rendered(UnaryOperator.identity(), Report.NONE, settings, Volumes.NONE);
        var own = rendered(
                text -> text.replaceFirst(
                        "(driverControllerTemplate:\n    spec:\n)", "$1      nodeSelector: {role: mine}\n"),
                Report.NONE,
                settings,
                Volumes.NONE);

        assertThat(only(Deployment.class, usual)
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getNodeSelector())
                .isEqualTo(Map.of("role", "infra"));
        assertThat(only(Deployment.class, own).getSpec().getTemplate().getSpec().getNodeSelector())
                .isEqualTo(Map.of("role", "mine"));
        assertThat(only(DaemonSet.class, usual)
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getNodeSelector())
                .isNullOrEmpty();
    }

    @Test
    void withoutAControllerTemplateThereIsNoControllerAndNothingItWouldNeed() {
        var objects = rendered(
                text -> text.replaceFirst("(?s)  driverControllerTemplate:.*?  driverSocket:", "  driverSocket:"),
                Report.NONE);

        assertThat(objects).noneMatch(Deployment.class::isInstance).noneMatch(ClusterRole.class::isInstance);
    }

    @Test
    void classesAreTheDriversAndOneIsTheDefault() {
        var classes = rendered().stream()
                .filter(StorageClass.class::isInstance)
                .map(StorageClass.class::cast)
                .toList();

        assertThat(classes).extracting(StorageClass::getProvisioner).containsOnly("csi-hostpath");
        assertThat(classes.getFirst().getMetadata().getAnnotations())
                .containsEntry("storageclass.kubernetes.io/is-default-class", "true");
        assertThat(classes.getLast().getMetadata().getAnnotations())
                .containsEntry("storageclass.kubernetes.io/is-default-class", "false");
        assertThat(classes.getLast().getParameters()).containsEntry("foo", "baz");
    }

    @Test
    void nodesAreUpdatedOneAfterTheOtherUnlessTheyAreNotToBe() {
        assertThat(only(DaemonSet.class, rendered())
                        .getSpec()
                        .getUpdateStrategy()
                        .getType())
                .isEqualTo("RollingUpdate");
        var rolling =
                only(DaemonSet.class, rendered()).getSpec().getUpdateStrategy().getRollingUpdate();
        assertThat(rolling.getMaxUnavailable().getIntVal()).isEqualTo(1);
        assertThat(rolling.getMaxSurge().getIntVal()).isZero();
        assertThat(only(
                                DaemonSet.class,
                                rendered(
                                        text -> text.replace(
                                                "  driverSocket:", "  nodeUpdateStrategy: OnDelete\n  driverSocket:"),
                                        Report.NONE))
                        .getSpec()
                        .getUpdateStrategy()
                        .getType())
                .isEqualTo("OnDelete");
    }

    @Test
    void everythingThatIsWrongIsToldAtOnce() {
        var deployment = SERIALIZATION.unmarshal(
                manifest()
                        .replace("driverName: csi-hostpath", "driverName: '-wrong-'")
                        .replace("driverSocket: /run/csi/csi.sock", "driverSocket: csi.sock")
                        .replace("default: false", "default: true")
                        .replace(
                                "  driverSocket:",
                                "  managementState: Perhaps\n  probePeriodSeconds: 0\n  driverSocket:"),
                CsiDriverDeployment.class);

        assertThat(Validation.problems("driver", deployment.getSpec()))
                .hasSize(5)
                .anySatisfy(problem -> assertThat(problem).contains("driverName", "-wrong-"))
                .anySatisfy(problem -> assertThat(problem).contains("driverSocket", "csi.sock"))
                .anySatisfy(problem -> assertThat(problem).contains("storageClassTemplates", "only one"))
                .anySatisfy(problem -> assertThat(problem).contains("managementState", "Perhaps"))
                .anySatisfy(problem -> assertThat(problem).contains("probePeriodSeconds"));
    }

    @Test
    void theAccountThatIsMadeMayNothingThatOnlyPodsOfAnotherAccountNeed() {
        UnaryOperator<String> controllerNamesOne = text -> text.replace(
                "driverControllerTemplate:\n    spec:\n",
                "driverControllerTemplate:\n    spec:\n      serviceAccountName: mine\n");
        var objects = rendered(controllerNamesOne, Report.NONE);

        assertThat(only(ServiceAccount.class, objects).getMetadata().getName()).isEqualTo("csi-hostpath");
        assertThat(objects)
                .noneMatch(object ->
                        object.getKind().endsWith("Role") || object.getKind().endsWith("Binding"));
        assertThat(only(Deployment.class, objects)
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getServiceAccountName())
                .isEqualTo("mine");
    }
}
