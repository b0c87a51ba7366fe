package dev.stowage.manager.apply;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Who changed an object, as far as the API server knows: it notes for every field who wrote it last, and when. */
final class Culprits {

    /** By which name the API server knows us. */
    private final String manager;

    Culprits(String manager) {
        this.manager = manager;
    }

    /**
     * Those who wrote it since we did, the last one first: those whose fields are among what differs, or all where nobody's are. Of a
     * field that was taken out, nobody is on record.
     */
    List<String> of(HasMetadata object, List<Difference> differences) {
        var entries =
                Objects.requireNonNullElse(object.getMetadata().getManagedFields(), List.<ManagedFieldsEntry>of());
        var ours = entries.stream()
                .filter(entry -> manager.equals(entry.getManager()))
                .filter(Culprits::writesTheObject)
                .map(Culprits::time)
                .max(Comparator.naturalOrder());
        var others = entries.stream()
                .filter(entry -> !manager.equals(entry.getManager()))
                .filter(Culprits::writesTheObject)
                .filter(entry -> isSince(entry, ours))
                .sorted(Comparator.comparing(Culprits::time).reversed())
                .toList();
        var guilty = others.stream()
                .filter(entry -> differences.stream().anyMatch(difference -> wrote(entry, difference.path())))
                .toList();
        return (guilty.isEmpty() ? others : guilty)
                .stream()
                        .map(entry -> entry.getManager() + (time(entry).isEmpty() ? "" : " at " + time(entry)))
                        .toList();
    }

    /** Controllers tell how an object is. What else is written by a way of its own, as the number of replicas is, changes it. */
    private static boolean writesTheObject(ManagedFieldsEntry entry) {
        return !"status".equals(entry.getSubresource());
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

    private static boolean wrote(ManagedFieldsEntry entry, String path) {
        var fields = entry.getFieldsV1() == null ? null : entry.getFieldsV1().getAdditionalProperties();
        return fields != null && !fields.isEmpty() && holds(fields, path);
    }

    /**
     * Whether something at a path is among fields.
     *
     * @param fields by {@code f:NAME} for those of an object, and {@code k:KEYS} for the elements of a list
     * @param path the rest of {@link Difference#path}, in whose names there may be dots
     */
    private static boolean holds(Map<?, ?> fields, String path) {
        // What is above a difference has to do with it, and what is below a field that has no others is part of it.
        return path.isEmpty()
                || fields.isEmpty()
                || fields.entrySet().stream()
                        .anyMatch(each -> rest(String.valueOf(each.getKey()), path)
                                .filter(rest -> each.getValue() instanceof Map<?, ?> more && holds(more, rest))
                                .isPresent());
    }

    /** What is left of a path below a field; nothing if it does not lead there. */
    private static Optional<String> rest(String field, String path) {
        if (field.startsWith("k:") && path.startsWith("[")) {
            int end = path.indexOf(']');
            return keys(field, path.substring(1, end)) ? Optional.of(below(path.substring(end + 1))) : Optional.empty();
        }
        String name = field.startsWith("f:") ? field.substring(2) : "";
        boolean leadsThere = !name.isEmpty()
                && path.startsWith(name)
                && (path.length() == name.length() || ".[".indexOf(path.charAt(name.length())) >= 0);
        return leadsThere ? Optional.of(below(path.substring(name.length()))) : Optional.empty();
    }

    /** As in {@code k:{"containerPort":80,"protocol":"TCP"}}. */
    private static boolean keys(String field, String value) {
        return field.contains(":\"" + value + "\"")
                || field.contains(":" + value + ",")
                || field.contains(":" + value + "}");
    }

    private static String below(String path) {
        return path.startsWith(".") ? path.substring(1) : path;
    }
}
