package dev.stowage.backend.vsc.central.volume;

import dev.stowage.backend.vsc.central.member.Import;
import dev.stowage.backend.vsc.central.resource.Resources;
import dev.stowage.core.error.StowageException;
import dev.stowage.kube.vsc.VscExternalVolume;
import dev.stowage.kube.vsc.VscResources;
import dev.stowage.kube.vsc.VscVolume;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import java.util.Optional;

/** A volume that an array had before becomes one of ours when it is first used. */
public final class ExternalVolumes {

    private final Resources resources;

    public ExternalVolumes(Resources resources) {
        this.resources = resources;
    }

    /** Takes over the external volume of that name, if there is one. Nothing on its array changes. */
    public Optional<VscVolume> takeOver(String name) {
        return resources.externalVolumes().find(name).map(external -> {
            var volume = new VscVolume();
            volume.setMetadata(new ObjectMetaBuilder()
                    .withName(name)
                    .withLabels(Map.of(Import.IMPORTED, "true"))
                    .withFinalizers(VscResources.FINALIZER)
                    .build());
            volume.setSpec(external.getSpec());
            return finish(resources.volumes().create(volume), external);
        });
    }

    /** Goes on where a crash interrupted it. Such a volume has its array already and must not be made on one. */
    VscVolume finish(VscVolume begun) {
        String name = VolumeKeeper.name(begun);
        return resources
                .externalVolumes()
                .find(name)
                .map(external -> finish(begun, external))
                .orElseThrow(() -> StowageException.internal(
                        "volume %s was brought in, but the ExternalVolume that says where it is, is gone; delete the Volume, its"
                                + " data stays",
                        name));
    }

    private VscVolume finish(VscVolume begun, VscExternalVolume external) {
        var taken = resources.volumes().status(begun, external.getStatus().in(VscVolume.State.READY, null));
        resources.externalVolumes().delete(external);
        resources.externalVolumes().release(external);
        return taken;
    }

    static boolean begun(VscVolume volume) {
        var labels = volume.getMetadata().getLabels();
        return labels != null
                && labels.containsKey(Import.IMPORTED)
                && volume.getStatus().vpsaId().isEmpty();
    }
}
