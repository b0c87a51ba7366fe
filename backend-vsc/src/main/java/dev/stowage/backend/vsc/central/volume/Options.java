package dev.stowage.backend.vsc.central.volume;

import dev.stowage.backend.vsc.central.resource.Resources;
import dev.stowage.kube.vsc.VolumeFlags;
import dev.stowage.kube.vsc.VolumeType;
import dev.stowage.kube.vsc.VscStorageClass;
import dev.stowage.kube.vsc.VscVolume;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The fields of the call by which an array makes a volume. What the volume says goes before what its class says. */
final class Options {

    private Options() {}

    static Map<String, String> of(Resources resources, VscVolume volume) {
        var options = new HashMap<String, String>();
        resources
                .classes()
                .told(volume.getSpec().vscStorageClassName())
                .map(VscStorageClass::getSpec)
                .flatMap(spec -> Optional.ofNullable(spec.volumeFlags()))
                .ifPresent(flags -> add(options, flags));
        Optional.ofNullable(volume.getSpec().flags()).ifPresent(flags -> add(options, flags));
        // Snapshots and access belong to Kubernetes, so that the array must not have policies of its own about them.
        options.put("attachpolicies", "NO");
        if (volume.getSpec().volumeType() == VolumeType.NAS) {
            options.put("nfsrootsquash", "NO");
        }
        return options;
    }

    private static void add(Map<String, String> options, VolumeFlags flags) {
        options.putAll(flags.extra());
        options.put("compress", flags.compress() ? "YES" : "NO");
        options.put("dedupe", flags.dedupe() ? "YES" : "NO");
        options.put("crypt", flags.encrypt() ? "YES" : "NO");
    }
}
