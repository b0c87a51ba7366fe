package dev.stowage.manager.beside;

import dev.stowage.kube.Api;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who has volumes of a driver on a node. */
public final class MountHolders {

    private final KubernetesClient client;

    public MountHolders(KubernetesClient client) {
        this.client = client;
    }

    /** Pods with volumes of the driver, and volumes that are attached; a pod that has ended counts until it is gone. */
    public List<String> of(String driver, String node) {
        var pods = Api.call(
                "pods of node " + node,
                () -> client.pods()
                        .inAnyNamespace()
                        .withField("spec.nodeName", node)
                        .list()
                        .getItems());
        var claims = claims(driver).keySet();
        var attached =
                Api.call(
                                "volume attachments",
                                () -> client.storage()
                                        .v1()
                                        .volumeAttachments()
                                        .list()
                                        .getItems())
                        .stream()
                        .filter(attachment -> attachment.getSpec().getAttacher().equals(driver)
                                && attachment.getSpec().getNodeName().equals(node))
                        .map(attachment -> "volume "
                                + attachment.getSpec().getSource().getPersistentVolumeName() + " is attached");
        return Stream.concat(
                        pods.stream().filter(pod -> holds(pod, driver, claims)).map(MountHolders::named), attached)
                .sorted()
                .toList();
    }

    /**
     * Pods with volumes of the driver on a node, and volumes that its kubelet still has mounted. Attachments do not count: without the
     * driver's controller nobody takes them back.
     */
    public List<String> mounted(String driver, String node) {
        var claims = claims(driver).keySet();
        var pods = Api.call(
                "pods of node " + node,
                () -> client.pods()
                        .inAnyNamespace()
                        .withField("spec.nodeName", node)
                        .list()
                        .getItems());
        var present =
                Api.call("node " + node, () -> client.nodes().withName(node).get());
        var used = present == null || present.getStatus() == null
                ? List.<String>of()
                : Objects.requireNonNullElse(present.getStatus().getVolumesInUse(), List.<String>of());
        String prefix = "kubernetes.io/csi/" + driver + "^";
        return Stream.concat(
                        pods.stream().filter(pod -> holds(pod, driver, claims)).map(MountHolders::named),
                        used.stream()
                                .filter(volume -> volume.startsWith(prefix))
                                .map(volume -> "volume " + volume.substring(prefix.length())))
                .sorted()
                .toList();
    }

    /**
     * A volume that a pod uses.
     *
     * @param node nothing while the pod is on none
     */
    public record Use(String volume, String pod, @Nullable String node) {
        @Override
        public String toString() {
            return "%s (%s on %s)".formatted(volume, pod, node);
        }
    }

    /** The volumes of a driver that pods use, with those pods, wherever they are. */
    public List<String> inUse(String driver) {
        return uses(driver).stream().map(Use::toString).sorted().toList();
    }

    /** The same, one by one. */
    public List<Use> uses(String driver) {
        var claims = claims(driver);
        var pods = Api.call("pods", () -> client.pods().inAnyNamespace().list().getItems());
        return pods.stream()
                .flatMap(pod -> used(pod, driver, claims)
                        .map(volume -> new Use(volume, named(pod), pod.getSpec().getNodeName())))
                .toList();
    }

    private static Stream<String> used(Pod pod, String driver, Map<String, String> claims) {
        return Stream.ofNullable(pod.getSpec().getVolumes())
                .flatMap(List::stream)
                .map(volume -> isInline(volume, driver)
                        ? "inline volume " + volume.getName()
                        : claims.get(pod.getMetadata().getNamespace() + "/" + claim(pod, volume)))
                .flatMap(Stream::ofNullable);
    }

    private static boolean isInline(Volume volume, String driver) {
        return volume.getCsi() != null && driver.equals(volume.getCsi().getDriver());
    }

    private static String named(Pod pod) {
        return "pod " + pod.getMetadata().getNamespace() + "/"
                + pod.getMetadata().getName();
    }

    /** The claims, as NAMESPACE/NAME, that have a volume of the driver, and its name. */
    private Map<String, String> claims(String driver) {
        var claims = new HashMap<String, String>();
        for (var volume : Api.call(
                "persistent volumes", () -> client.persistentVolumes().list().getItems())) {
            var claim = volume.getSpec().getClaimRef();
            if (claim != null && driver.equals(driverOf(volume))) {
                claims.put(
                        claim.getNamespace() + "/" + claim.getName(),
                        volume.getMetadata().getName());
            }
        }
        return claims;
    }

    /** The driver that a volume is of, if it is of one. */
    public static @Nullable String driverOf(PersistentVolume volume) {
        var csi = volume.getSpec().getCsi();
        return csi == null ? null : csi.getDriver();
    }

    private static boolean holds(Pod pod, String driver, Set<String> claims) {
        return Objects.requireNonNullElse(pod.getSpec().getVolumes(), List.<Volume>of()).stream()
                .anyMatch(volume -> isInline(volume, driver)
                        || claims.contains(pod.getMetadata().getNamespace() + "/" + claim(pod, volume)));
    }

    private static String claim(Pod pod, Volume volume) {
        if (volume.getPersistentVolumeClaim() != null) {
            return volume.getPersistentVolumeClaim().getClaimName();
        }
        return volume.getEphemeral() == null ? "" : pod.getMetadata().getName() + "-" + volume.getName();
    }
}
