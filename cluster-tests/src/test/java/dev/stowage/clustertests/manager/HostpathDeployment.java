package dev.stowage.clustertests.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.clustertests.TestNamespace;
import dev.stowage.workbench.cluster.Cluster;
import java.util.UUID;
import java.util.stream.Stream;

/** The reference driver in a namespace of its own, the manager that looks after it, and a pod that may use it. */
record HostpathDeployment(
        Cluster cluster,
        TestNamespace namespace,
        String driver,
        Managed managed,
        DriverUser user,
        ManagerOnHost manager)
        implements AutoCloseable {

    /**
     * Without the driver, which is applied later.
     *
     * @param options of the manager, beside those that every manager needs
     */
    static HostpathDeployment prepare(Cluster cluster, String... options) {
        var namespace = new TestNamespace(cluster);
        String driver = namespace.name() + ".hostpath";
        return new HostpathDeployment(
                cluster,
                namespace,
                driver,
                new Managed(cluster, namespace.name(), HostpathDriver.NAME),
                new DriverUser(namespace, "user", driver),
                ManagerOnHost.start(cluster, options));
    }

    /** Where the driver runs, and so everybody who uses it. */
    String node() {
        return cluster.nodes().getFirst().name();
    }

    /** @param more lines of the spec */
    String manifest(String image, String more) {
        return HostpathDriver.manifest(HostpathDriver.NAME, node(), driver, image, more);
    }

    void apply(String image, String more) {
        namespace.apply(manifest(image, more));
    }

    /** Applies a manifest, and waits until there is a volume for the user. */
    void deploy(String manifest) {
        namespace.apply(manifest);
        managed.awaitAvailable();
        user.claim("16Mi");
        user.volume();
    }

    void awaitKnownToBeGood() {
        managed.await(
                "it is known to be good",
                () -> !managed.field(".status.rollout.lastGood").isEmpty());
    }

    /**
     * To be called before a driver ends under a pod that uses it. The reference driver writes down what it has staged and published when
     * it makes a volume, and at no other time. Of what is not written down the next one says that it is unmounted, and does not do it.
     */
    void haveItRemember() {
        var another = new DriverUser(
                namespace, "another-" + UUID.randomUUID().toString().substring(0, 4), driver);
        another.claim("1Mi");
        another.volume();
    }

    /** Users first, then their volumes, which only the driver can delete, and the driver before its manager. */
    @Override
    public void close() {
        try (manager;
                namespace) {
            namespace.kubectl("delete", "pods", DriverUser.ALL, "--timeout=120s");
            var volumes = Stream.of(namespace
                            .kubectl("get", "persistentvolumeclaims", "--output=jsonpath={.items[*].spec.volumeName}")
                            .split(" "))
                    .filter(name -> !name.isEmpty())
                    .toList();
            namespace.kubectl("delete", "persistentvolumeclaims", "--all", "--timeout=120s");
            assertThat(volumes)
                    .allSatisfy(volume ->
                            namespace.kubectl("wait", "--for=delete", "--timeout=120s", "persistentvolume/" + volume));
            managed.delete();
        }
    }
}
