package dev.stowage.clustertests.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.NeedsCluster;
import dev.stowage.clustertests.TestNamespace;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.workbench.cluster.Cluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.storage.CSIDriver;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A driver that runs already, installed by hand, under names and labels that somebody else has chosen. */
@NeedsCluster(nodes = 2)
class AdoptedDriverTest {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();
    private static final String BY_HAND = "by-hand";

    /** A driver is only asked whether it attaches volumes once it is managed. */
    private static final String NOT_ATTACHED = "csiDriver: {attachRequired: false}\n";

    private static final String ADOPT = NOT_ATTACHED + "adopt: {daemonSet: by-hand, serviceAccount: by-hand}\n";

    private final HostpathDeployment deployment;
    private final TestNamespace namespace;
    private final String driver;
    private final Managed managed;
    private final DriverUser user;

    AdoptedDriverTest(Cluster cluster) {
        deployment = HostpathDeployment.prepare(cluster);
        namespace = deployment.namespace();
        driver = deployment.driver();
        managed = deployment.managed();
        user = deployment.user();
    }

    @AfterEach
    void leaveNothing() {
        deployment.close();
        managed.kubectl("delete", "csidriver,storageclass", "--selector=app=" + namespace.name());
        managed.kubectl("delete", "clusterrolebinding", namespace.name(), "--ignore-not-found");
    }

    /** What would be made, and was for a node that there is not, so that nothing of it ran. */
    @BeforeEach
    void installByHand() {
        namespace.apply(
                HostpathDriver.manifest(HostpathDriver.NAME, "nowhere", driver, HostpathDriver.IMAGE, NOT_ATTACHED));
        awaitSynced();
        var nodes = made("daemonset/" + HostpathDriver.NAME + "-node", DaemonSet.class);
        var driverObject = made("csidriver/" + driver, CSIDriver.class);
        var storageClass = made("storageclass/" + driver, StorageClass.class);
        managed.delete();

        nodes.getMetadata().setName(BY_HAND);
        nodes.setStatus(null);
        nodes.getSpec().getSelector().setMatchLabels(chosen());
        nodes.getSpec().getTemplate().getMetadata().setLabels(chosen());
        var pod = nodes.getSpec().getTemplate().getSpec();
        pod.setNodeSelector(Map.of("kubernetes.io/hostname", deployment.node()));
        pod.setServiceAccountName(BY_HAND);
        pod.setServiceAccount(BY_HAND);
        namespace.kubectl("create", "serviceaccount", BY_HAND);
        namespace.kubectl(
                "create",
                "clusterrolebinding",
                namespace.name(),
                "--clusterrole=cluster-admin",
                "--serviceaccount=" + namespace.name() + ":" + BY_HAND);
        for (var object : new HasMetadata[] {driverObject, storageClass, nodes}) {
            namespace.apply(SERIALIZATION.asYaml(object));
        }
        namespace.kubectl("rollout", "status", "daemonset/" + BY_HAND, "--timeout=240s");
    }

    private Map<String, String> chosen() {
        return Map.of("app", namespace.name());
    }

    /** An object as it was made, without anything that tells by whom. */
    private <T extends HasMetadata> T made(String object, Class<T> type) {
        T made = SERIALIZATION.unmarshal(managed.kubectl("get", object, "--output=json"), type);
        made.setMetadata(new ObjectMetaBuilder()
                .withName(made.getMetadata().getName())
                .withLabels(chosen())
                .build());
        return made;
    }

    private void awaitSynced() {
        managed.await(
                "everything is as asked for",
                () -> managed.condition("SyncSuccessful", "status").equals("True"));
    }

    /** The driver's pods, and how often their containers were restarted. */
    private String pods() {
        return managed.kubectl(
                "get",
                "pods",
                "--selector=app=" + namespace.name(),
                "--output=jsonpath={range .items[*]}{.metadata.uid} {.status.containerStatuses[*].restartCount}{end}");
    }

    @Test
    void whatRunsAsItWouldBeDeployedIsTakenOverAndNoPodRestarts() {
        user.claim("16Mi");
        user.start();
        String before = pods();

        deployment.apply(HostpathDriver.IMAGE, ADOPT);
        awaitSynced();
        managed.awaitAvailable();

        assertThat(managed.children())
                .contains(
                        "daemonsets.apps/" + BY_HAND,
                        "serviceaccounts/" + BY_HAND,
                        "csidrivers.storage.k8s.io/" + driver,
                        "storageclasses.storage.k8s.io/" + driver);
        assertThat(managed.kubectl("get", "daemonset/" + BY_HAND, "--output=jsonpath={.metadata.labels}"))
                .contains(CsiDriverDeployment.OWNER_NAME, "\"app\"");
        managed.await(
                "the pods are known",
                () -> managed.field(".status.nodes[*]['name', 'registered', 'current']")
                        .equals(deployment.node() + " true true"));
        // What it was allowed by hand, it does not need any more.
        managed.kubectl("delete", "clusterrolebinding", namespace.name());
        var another = new DriverUser(namespace, "another", driver);
        another.claim("16Mi");
        another.release();
        user.assertUninterrupted();
        assertThat(pods()).isEqualTo(before);
    }

    @Test
    void whatDiffersIsShownAndChangedOnlyWithConsent() {
        String before = pods();

        deployment.apply(HostpathDriver.NEXT_IMAGE, ADOPT);
        managed.await(
                "it is not touched",
                () -> managed.condition("SyncSuccessful", "reason").equals("NotOurs"));
        assertThat(managed.condition("SyncSuccessful", "message"))
                .contains("DaemonSet " + namespace.name() + "/" + BY_HAND + " was there before")
                .contains("(spec.template.spec.containers[csi-driver].image is %s instead of %s)"
                        .formatted(HostpathDriver.IMAGE, HostpathDriver.NEXT_IMAGE))
                .contains("Consent");
        assertThat(managed.events("NotOurs")).contains(BY_HAND);
        assertThat(pods()).isEqualTo(before);

        deployment.apply(HostpathDriver.NEXT_IMAGE, ADOPT + "adoption: Consent\n");
        managed.await(
                "the next version runs",
                () -> managed.condition("Progressing", "reason").equals("Settled")
                        && managed.field(".status.nodes[*]['version', 'registered']")
                                .equals(HostpathDriver.NEXT_IMAGE + " true"));
        user.claim("16Mi");
        user.start();
    }
}
