package dev.stowage.manager;

import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.beside.MountHolders;
import java.util.List;

/**
 * Drivers that are to be called otherwise while nodes have volumes of the former name. Under the new one they could give none of them back,
 * and those that hold mounts would be restarted under them.
 */
final class Renames {

    private final KnownNames names;
    private final MountHolders holders;
    private final Protection protection;

    Renames(KnownNames names, MountHolders holders, Protection protection) {
        this.names = names;
        this.holders = holders;
        this.protection = protection;
    }

    /** Why a driver keeps its former name for now; empty when it does not. */
    List<String> objections(CsiDriverDeployment deployment) {
        var spec = deployment.getSpec();
        var former = names.former(deployment);
        if (former.isEmpty() || !Boolean.TRUE.equals(spec.holdsMounts()) && !protection.of(spec)) {
            return List.of();
        }
        var used = holders.look(former).anywhere();
        return used.isEmpty()
                ? List.of()
                : List.of("volumes of %s are attached or mounted, and the driver is not renamed until they are not: %s"
                        .formatted(String.join(" and ", former), String.join(", ", used)));
    }
}
