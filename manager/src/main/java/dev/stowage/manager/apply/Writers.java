package dev.stowage.manager.apply;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Who wrote an object beside us, as far as the API server knows. */
public final class Writers {

    private Writers() {}

    /**
     * What others wrote, the latest first. Parts that are written apart, such as the status, do not count.
     *
     * @param manager by which name the API server knows us
     */
    public static List<ManagedFieldsEntry> others(HasMetadata object, String manager) {
        return Stream.ofNullable(object.getMetadata().getManagedFields())
                .flatMap(List::stream)
                .filter(entry -> !manager.equals(entry.getManager()) && entry.getSubresource() == null)
                .sorted(Comparator.comparing(ManagedFieldsEntry::getTime).reversed())
                .toList();
    }

    /** As people are told. */
    public static String named(ManagedFieldsEntry entry) {
        return entry.getManager() + " at " + entry.getTime();
    }
}
