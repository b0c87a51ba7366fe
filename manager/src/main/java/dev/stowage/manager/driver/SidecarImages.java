package dev.stowage.manager.driver;

import dev.stowage.kube.csidriver.CsiDriverDeployment.ContainerImages;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Which image each sidecar runs from, and how it is called in it.
 *
 * @param images from the manager's settings
 */
public record SidecarImages(Map<Sidecar, Choice> images) {

    /** @param command what comes before the flags, where one image holds several programs */
    record Choice(String image, List<String> command) {

        /** Whether it is called as the stock sidecars are, and so may know nothing else. */
        boolean stock() {
            return command.isEmpty();
        }
    }

    /**
     * The manager's choice.
     *
     * @param own the image of this product, which has an attacher, a registrar and a liveness probe
     */
    public static SidecarImages of(String own, String provisioner, String resizer, String snapshotter) {
        var images = new EnumMap<Sidecar, Choice>(Sidecar.class);
        images.put(Sidecar.PROVISIONER, new Choice(provisioner, List.of()));
        images.put(Sidecar.RESIZER, new Choice(resizer, List.of()));
        images.put(Sidecar.SNAPSHOTTER, new Choice(snapshotter, List.of()));
        images.put(Sidecar.ATTACHER, new Choice(own, List.of("sidecar", "attacher")));
        images.put(Sidecar.REGISTRAR, new Choice(own, List.of("sidecar", "registrar")));
        images.put(Sidecar.LIVENESS, new Choice(own, List.of("sidecar", "liveness")));
        return new SidecarImages(images);
    }

    /** An image that a deployment names is called as the stock sidecars are, unless it is the manager's own choice. */
    Choice choose(Sidecar sidecar, ContainerImages wanted) {
        String named = sidecar.imageOf(wanted);
        var usual = images.get(sidecar);
        if (usual == null) {
            throw new IllegalStateException("there is no image for " + sidecar.container());
        }
        return named == null || named.isBlank() || named.equals(usual.image()) ? usual : new Choice(named, List.of());
    }
}
