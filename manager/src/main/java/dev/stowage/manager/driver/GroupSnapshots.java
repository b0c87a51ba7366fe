package dev.stowage.manager.driver;

import dev.stowage.kube.csidriver.CsiDriverDeployment.ContainerImages;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Sidecars;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Spec;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Snapshots of several volumes at one instant.
 *
 * <p>A stock snapshotter that is told of them waits for their resources before it makes any snapshot, also of a single volume, and not
 * every cluster has these resources. So it is not told of them by itself where the version that it uses is not served.
 */
public final class GroupSnapshots {

    static final String CAPABILITY = "CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT";

    private static final String GROUP = "groupsnapshot.storage.k8s.io/";
    /** What it waits for. */
    private static final Set<String> RESOURCES = Set.of("volumegroupsnapshotclasses", "volumegroupsnapshotcontents");

    private static final Pattern VERSION = Pattern.compile(":v?([0-9]{1,4})\\.([0-9]{1,4})[^/]*$");
    private static final int MAJOR = 10_000;
    /** The version of the resources that a snapshotter uses, by its own version, from the first one that does. */
    private static final NavigableMap<Integer, String> USED_SINCE =
            new TreeMap<>(Map.of(8 * MAJOR + 2, "v1beta1", 8 * MAJOR + 4, "v1beta2", 8 * MAJOR + 6, "v1"));

    /** Of the one that the manager chooses. */
    private static final int USUAL = 8 * MAJOR + 3;

    private final SidecarImages images;
    private final Function<String, Set<String>> served;

    /** @param served the plural names of the resources that the cluster serves, by group and version */
    public GroupSnapshots(SidecarImages images, Function<String, Set<String>> served) {
        this.images = images;
        this.served = served;
    }

    /** Why there are none although the driver can make them; nothing where there are, or nobody wants any. */
    public Optional<String> leftOut(Spec spec, Optional<Report> report) {
        if (!dependOnTheCluster(spec, report)) {
            return Optional.empty();
        }
        String image = images.choose(
                        Sidecar.SNAPSHOTTER,
                        Objects.requireNonNullElse(spec.containerImages(), ContainerImages.DEFAULTS))
                .image();
        var used = USED_SINCE.floorEntry(version(image));
        if (used == null) {
            return Optional.of(told("the snapshotter " + image + " is older than v8.2", "take a newer one"));
        }
        String version = GROUP + used.getValue();
        return served.apply(version).containsAll(RESOURCES)
                ? Optional.empty()
                : Optional.of(told(
                        "the cluster does not serve %s, which the snapshotter %s uses".formatted(version, image),
                        "install the CRDs of that version"));
    }

    /** A template's own snapshotter is told by the template. */
    private static boolean dependOnTheCluster(Spec spec, Optional<Report> report) {
        var controller = spec.driverControllerTemplate();
        return controller != null
                && !Sidecar.SNAPSHOTTER.isIn(controller)
                && Wish.of(spec, Sidecars::snapshotter) != Wish.NEVER
                && Wish.of(spec, Sidecars::groupSnapshots) == Wish.AUTO
                && report.filter(told -> told.can(CAPABILITY)).isPresent();
    }

    /** By the tag, as those of the stock snapshotter are. */
    private static int version(String image) {
        var tag = VERSION.matcher(image);
        return tag.find() ? Integer.parseInt(tag.group(1)) * MAJOR + Integer.parseInt(tag.group(2)) : USUAL;
    }

    private static String told(String why, String wayOut) {
        return "the driver can make snapshots of groups, but they are left out: %s; %s, or set spec.sidecars.groupSnapshots to Never"
                .formatted(why, wayOut);
    }
}
