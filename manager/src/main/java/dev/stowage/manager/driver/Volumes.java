package dev.stowage.manager.driver;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.SecretReference;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The volumes that a driver has.
 *
 * @param secrets that sidecars have to read for them. A volume keeps those that its class named when it was made
 */
public record Volumes(long count, Set<Secret> secrets) {

    public static final Volumes NONE = new Volumes(0, Set.of());

    private static final String DELETION = "volume.kubernetes.io/provisioner-deletion-secret-";

    /** What holds credentials. */
    public record Secret(String namespace, String name) {}

    public static Volumes one(PersistentVolume volume) {
        var secrets = new HashSet<Secret>();
        var csi = volume.getSpec().getCsi();
        if (csi != null) {
            add(secrets, csi.getControllerPublishSecretRef());
            add(secrets, csi.getControllerExpandSecretRef());
        }
        var notes = Objects.requireNonNullElse(volume.getMetadata().getAnnotations(), Map.<String, String>of());
        add(secrets, new SecretReference(notes.get(DELETION + "name"), notes.get(DELETION + "namespace")));
        return new Volumes(1, Set.copyOf(secrets));
    }

    private static void add(Set<Secret> secrets, @Nullable SecretReference reference) {
        if (reference != null && given(reference.getName()) && given(reference.getNamespace())) {
            secrets.add(new Secret(reference.getNamespace(), reference.getName()));
        }
    }

    private static boolean given(@Nullable String text) {
        return text != null && !text.isEmpty();
    }

    public Volumes and(Volumes more) {
        return new Volumes(count + more.count, union(more));
    }

    /** What there is of one or the other, of which one is later than the other. */
    public Volumes most(Volumes later) {
        return new Volumes(Math.max(count, later.count), union(later));
    }

    private Set<Secret> union(Volumes other) {
        var all = new HashSet<>(secrets);
        all.addAll(other.secrets);
        return Set.copyOf(all);
    }
}
