package dev.stowage.manager.weka;

import dev.stowage.kube.weka.WekaResources;
import dev.stowage.manager.driver.Naming;
import dev.stowage.manager.driver.Part;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.HashMap;
import java.util.Map;

/**
 * What the objects of a driver are called.
 *
 * @param owner the one client that answers for it
 * @param hash of the configuration that it is made of
 */
record WekaNames(String driver, String namespace, HasMetadata owner, String hash) implements Naming {

    private static final int LONGEST_LABEL = 63;

    /** As a label has room for it. */
    static String label(String name) {
        return DriverNames.bounded(name, name, LONGEST_LABEL);
    }

    static String dashed(String driver) {
        return driver.replace('.', '-');
    }

    @Override
    public String node() {
        return dashed(driver) + "-csi-node";
    }

    @Override
    public String controller() {
        return dashed(driver) + "-csi-controller";
    }

    @Override
    public String account() {
        return dashed(driver) + "-csi";
    }

    @Override
    public String clusterWide() {
        return account();
    }

    @Override
    public String leaderElection() {
        return account() + "-leader-election";
    }

    @Override
    public Map<String, String> labels(Part part) {
        var labels = new HashMap<String, String>();
        labels.put(WekaResources.DRIVER, driver);
        switch (part) {
            case NODE -> labels.put(WekaResources.MODE, "csi_node");
            case CONTROLLER -> labels.put(WekaResources.MODE, "csi_controller");
            case DRIVER -> labels.put(WekaResources.MODE, "csi_driver");
            case STORAGE_CLASS -> labels.put(WekaResources.MODE, "csi_storageclass");
            case ACCESS -> {}
        }
        return labels;
    }

    @Override
    public Map<String, String> selector(Part part) {
        return labels(part);
    }

    @Override
    public ObjectMeta beside(Part part, String name) {
        return new ObjectMetaBuilder(clusterWide(part, name))
                .withNamespace(namespace)
                .build();
    }

    @Override
    public ObjectMeta clusterWide(Part part, String name) {
        var metadata = new ObjectMetaBuilder().withName(name).withLabels(labels(part));
        if (part == Part.CONTROLLER) {
            metadata.addToAnnotations(WekaResources.CONTROLLER_HASH, hash);
        }
        if (part == Part.CONTROLLER || part == Part.DRIVER) {
            metadata.addToAnnotations(
                            WekaResources.OWNER_NAME, owner.getMetadata().getName())
                    .addToAnnotations(
                            WekaResources.OWNER_NAMESPACE, owner.getMetadata().getNamespace());
        }
        return metadata.build();
    }
}
