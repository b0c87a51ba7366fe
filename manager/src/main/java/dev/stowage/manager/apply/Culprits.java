package dev.stowage.manager.apply;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who changed an object. */
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
        var others = Writers.others(object, manager);
        var guilty = others.stream()
                .filter(entry -> differences.stream().anyMatch(difference -> wrote(entry, difference.path())))
                .toList();
        return (guilty.isEmpty() ? others : guilty).stream().map(Writers::named).toList();
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
