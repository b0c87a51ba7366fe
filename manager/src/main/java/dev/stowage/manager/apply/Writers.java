package dev.stowage.manager.apply;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Who wrote an object beside us, as far as the API server knows: it notes for every field who wrote it last, and when. */
public final class Writers {

    private Writers() {}

    /**
     * What others wrote since we did, the latest first.
     *
     * @param manager by which name the API server knows us
     */
    public static List<ManagedFieldsEntry> others(HasMetadata object, String manager) {
        var ours = entries(object)
                .filter(entry -> manager.equals(entry.getManager()))
                .map(Writers::time)
                .max(Comparator.naturalOrder());
        return entries(object)
                .filter(entry -> !manager.equals(entry.getManager()))
                .filter(entry -> isSince(entry, ours))
                .sorted(Comparator.comparing(Writers::time).reversed())
                .toList();
    }

    /** Controllers tell how an object is. What else is written by a way of its own, as the number of replicas is, changes it. */
    private static Stream<ManagedFieldsEntry> entries(HasMetadata object) {
        return Stream.ofNullable(object.getMetadata().getManagedFields())
                .flatMap(List::stream)
                .filter(entry -> !"status".equals(entry.getSubresource()));
    }

    /**
     * Within a second nobody can tell who came first. Who scales has no time on record, but what he wrote is not his any more once we
     * write it.
     */
    private static boolean isSince(ManagedFieldsEntry entry, Optional<String> ours) {
        return ours.isEmpty() || time(entry).isEmpty() || time(entry).compareTo(ours.get()) >= 0;
    }

    /** In a form of which the later is the greater; empty when it is not known. */
    private static String time(ManagedFieldsEntry entry) {
        return Objects.requireNonNullElse(entry.getTime(), "");
    }

    /** As people are told. */
    public static String named(ManagedFieldsEntry entry) {
        return entry.getManager() + (time(entry).isEmpty() ? "" : " at " + time(entry));
    }
}
