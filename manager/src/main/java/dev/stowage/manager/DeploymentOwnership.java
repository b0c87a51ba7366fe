package dev.stowage.manager;

import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.apply.Ownership;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/** What was made for a CSIDriverDeployment has its namespace and name. */
final class DeploymentOwnership implements Ownership {

    static final DeploymentOwnership LABELS = new DeploymentOwnership();

    private DeploymentOwnership() {}

    @Override
    public String label() {
        return CsiDriverDeployment.OWNER_NAME;
    }

    @Override
    public String prefix() {
        return CsiDriverDeployment.GROUP + "/";
    }

    /** As NAMESPACE/NAME. */
    @Override
    public Optional<String> owner(HasMetadata object) {
        return Ownership.label(object, CsiDriverDeployment.OWNER_NAMESPACE)
                .flatMap(namespace ->
                        Ownership.label(object, CsiDriverDeployment.OWNER_NAME).map(name -> namespace + "/" + name));
    }

    @Override
    public String described(String owner) {
        return "CSIDriverDeployment " + owner;
    }
}
