package dev.stowage.manager.weka;

import dev.stowage.kube.weka.WekaResources;
import dev.stowage.manager.apply.Ownership;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/** What was made for a driver has its name: clients that share it come and go. */
final class WekaOwnership implements Ownership {

    static final WekaOwnership LABELS = new WekaOwnership();

    private WekaOwnership() {}

    @Override
    public String label() {
        return WekaResources.DRIVER;
    }

    @Override
    public String prefix() {
        return "weka.io/";
    }

    @Override
    public Optional<String> owner(HasMetadata object) {
        return Ownership.label(object, WekaResources.DRIVER);
    }

    @Override
    public String described(String owner) {
        return "the driver " + owner;
    }
}
