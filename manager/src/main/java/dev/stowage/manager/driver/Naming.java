package dev.stowage.manager.driver;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.HashMap;
import java.util.Map;

/** What the objects of a driver are called, and whose they are. */
public interface Naming {

    String namespace();

    /** Of what runs on nodes. */
    String node();

    String controller();

    String account();

    /** Of objects without a namespace, which two drivers must not share. */
    String clusterWide();

    String leaderElection();

    /** By which a part is found. */
    Map<String, String> labels(Part part);

    /** By which the pods of a part are told from all others. */
    Map<String, String> selector(Part part);

    /** Of an object that has a namespace. */
    ObjectMeta beside(Part part, String name);

    /** Of one that has none. */
    ObjectMeta clusterWide(Part part, String name);

    /** What the pods of a part have. */
    default Map<String, String> podLabels(Part part) {
        var all = new HashMap<>(labels(part));
        all.putAll(selector(part));
        return all;
    }

    /** Of an object in some namespace, from which Kubernetes knows no way to an owner in another. */
    default ObjectMeta in(String namespace, Part part, String name) {
        return namespace.equals(namespace())
                ? beside(part, name)
                : new ObjectMetaBuilder(clusterWide(part, name))
                        .withNamespace(namespace)
                        .build();
    }
}
