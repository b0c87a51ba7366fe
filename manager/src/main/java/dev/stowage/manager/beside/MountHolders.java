package dev.stowage.manager.beside;

import dev.stowage.kube.Api;
import dev.stowage.kube.Pages;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Listable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who has volumes of a driver on nodes. */
public final class MountHolders {

    private final KubernetesClient client;

    public MountHolders(KubernetesClient client) {
        this.client = client;
    }

    /**
     * A volume that a pod uses.
     *
     * @param node nothing while the pod is on none
     */
    public record Use(String volume, String pod, @Nullable String node) {
        @Override
        public String toString() {
            return "%s (%s %s)".formatted(volume, pod, node == null ? "on no node yet" : "on " + node);
        }
    }

    /** A volume that is attached. */
    public record Attached(String volume, String node) {
        @Override
        public String toString() {
            return volume + " on " + node;
        }
    }

    /** What there was when somebody looked. A pod that has ended counts until it is gone. */
    public record Uses(List<Use> mounted, List<Attached> attached) {

        static final Uses NONE = new Uses(List.of(), List.of());

        public Uses {
            mounted = List.copyOf(mounted);
            attached = List.copyOf(attached);
        }

        /** Who has volumes on a node: pods, and volumes that are attached. */
        public List<String> on(String node) {
            return Stream.concat(
                            mounted.stream()
                                    .filter(use -> node.equals(use.node()))
                                    .map(Use::pod),
                            attached.stream()
                                    .filter(each -> each.node().equals(node))
                                    .map(each -> "volume " + each.volume() + " is attached"))
                    .distinct()
                    .sorted()
                    .toList();
        }

        /** The volumes that some node has: those that are attached, and those that pods have without. */
        public List<String> anywhere() {
            var all = new TreeSet<String>();
            attached.forEach(each -> all.add(each.toString()));
            for (var use : mounted) {
                if (use.node() != null && !all.contains(new Attached(use.volume(), use.node()).toString())) {
                    all.add(use.toString());
                }
            }
            return List.copyOf(all);
        }
    }

    /** What all nodes have of some drivers, for whoever wants to know it of more than one. */
    public Uses look(Set<String> drivers) {
        return look(drivers, client.pods().inAnyNamespace());
    }

    /** What one node has of some drivers. */
    public Uses look(Set<String> drivers, String node) {
        return look(drivers, podsOf(node));
    }

    /** A volume is bound before its pod comes to a node, and attached after. Looked at in another order, one in between would be missed. */
    private Uses look(Set<String> drivers, Listable<PodList> pods) {
        if (drivers.isEmpty()) {
            return Uses.NONE;
        }
        var mounted = uses(drivers, pods);
        var attached = new ArrayList<Attached>();
        Pages.each("volume attachments", client.storage().v1().volumeAttachments(), attachment -> {
            var spec = attachment.getSpec();
            if (drivers.contains(spec.getAttacher())) {
                attached.add(
                        new Attached(String.valueOf(spec.getSource().getPersistentVolumeName()), spec.getNodeName()));
            }
        });
        return new Uses(mounted, attached);
    }

    /**
     * Pods with volumes of the driver on a node, and volumes that its kubelet still has mounted. Attachments do not count: without the
     * driver's controller nobody takes them back.
     */
    public List<String> mounted(String driver, String node) {
        var pods = uses(Set.of(driver), podsOf(node)).stream().map(Use::pod).distinct();
        var present =
                Api.call("node " + node, () -> client.nodes().withName(node).get());
        var used = present == null || present.getStatus() == null
                ? List.<String>of()
                : Objects.requireNonNullElse(present.getStatus().getVolumesInUse(), List.<String>of());
        String prefix = "kubernetes.io/csi/" + driver + "^";
        return Stream.concat(
                        pods,
                        used.stream()
                                .filter(volume -> volume.startsWith(prefix))
                                .map(volume -> "volume " + volume.substring(prefix.length())))
                .sorted()
                .toList();
    }

    /** The volumes of a driver that pods use, with those pods, wherever they are. */
    public List<String> inUse(String driver) {
        return inUse(driver, _ -> true);
    }

    /** The same, on some nodes only. */
    public List<String> inUse(String driver, Set<String> nodes) {
        return inUse(driver, use -> use.node() != null && nodes.contains(use.node()));
    }

    private List<String> inUse(String driver, Predicate<Use> concerns) {
        return uses(Set.of(driver), client.pods().inAnyNamespace()).stream()
                .filter(concerns)
                .map(Use::toString)
                .sorted()
                .toList();
    }

    private Listable<PodList> podsOf(String node) {
        return client.pods().inAnyNamespace().withField("spec.nodeName", node);
    }

    private List<Use> uses(Set<String> drivers, Listable<PodList> pods) {
        var uses = new ArrayList<Use>();
        var claimed = new ArrayList<Use>();
        Pages.each("pods", pods, (Pod pod) -> {
            for (var volume : Objects.requireNonNullElse(pod.getSpec().getVolumes(), List.<Volume>of())) {
                String claim = claim(pod, volume);
                if (volume.getCsi() != null && drivers.contains(volume.getCsi().getDriver())) {
                    uses.add(use("inline volume " + volume.getName(), pod));
                } else if (!claim.isEmpty()) {
                    claimed.add(use(pod.getMetadata().getNamespace() + "/" + claim, pod));
                }
            }
        });
        var volumes = claims(drivers);
        for (var use : claimed) {
            String volume = volumes.get(use.volume());
            if (volume != null) {
                uses.add(new Use(volume, use.pod(), use.node()));
            }
        }
        return uses;
    }

    private static Use use(String volume, Pod pod) {
        String named = "pod " + pod.getMetadata().getNamespace() + "/"
                + pod.getMetadata().getName();
        return new Use(volume, named, pod.getSpec().getNodeName());
    }

    /** The claims, as NAMESPACE/NAME, that have a volume of one of the drivers, and its name. */
    private Map<String, String> claims(Set<String> drivers) {
        var claims = new HashMap<String, String>();
        Pages.each("persistent volumes", client.persistentVolumes(), (PersistentVolume volume) -> {
            var claim = volume.getSpec().getClaimRef();
            String driver = driverOf(volume);
            if (claim != null && driver != null && drivers.contains(driver)) {
                claims.put(
                        claim.getNamespace() + "/" + claim.getName(),
                        volume.getMetadata().getName());
            }
        });
        return claims;
    }

    /** The driver that a volume is of, if it is of one. */
    public static @Nullable String driverOf(PersistentVolume volume) {
        var csi = volume.getSpec().getCsi();
        return csi == null ? null : csi.getDriver();
    }

    private static String claim(Pod pod, Volume volume) {
        if (volume.getPersistentVolumeClaim() != null) {
            return volume.getPersistentVolumeClaim().getClaimName();
        }
        return volume.getEphemeral() == null ? "" : pod.getMetadata().getName() + "-" + volume.getName();
    }
}
