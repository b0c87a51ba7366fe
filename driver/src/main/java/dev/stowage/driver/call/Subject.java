package dev.stowage.driver.call;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a request is about, for its log lines.
 *
 * @param kind such as volume, or name when the thing is only being made
 */
public record Subject(String kind, String value) {

    private record Field(String kind, FieldDescriptor descriptor) {}

    private static final SequencedMap<String, String> KINDS = new LinkedHashMap<>();
    private static final int LONGEST = 128;
    private static final Map<Descriptor, Optional<Field>> FOUND = new ConcurrentHashMap<>();

    static {
        KINDS.put("volume_id", "volume");
        KINDS.put("name", "name");
        KINDS.put("snapshot_id", "snapshot");
        KINDS.put("group_snapshot_id", "group");
        KINDS.put("target_snapshot_id", "snapshot");
    }

    /** The subject; empty when the request is about nothing in particular. */
    static Optional<Subject> of(Object request) {
        return request instanceof Message message
                ? FOUND.computeIfAbsent(message.getDescriptorForType(), Subject::find)
                        .map(field -> new Subject(field.kind(), bounded((String) message.getField(field.descriptor()))))
                        .filter(subject -> !subject.value().isEmpty())
                : Optional.empty();
    }

    private static Optional<Field> find(Descriptor type) {
        return KINDS.entrySet().stream()
                .flatMap(entry -> Optional.ofNullable(type.findFieldByName(entry.getKey()))
                        .map(field -> new Field(entry.getValue(), field))
                        .stream())
                .findFirst();
    }

    private static String bounded(String value) {
        return value.length() <= LONGEST ? value : value.substring(0, LONGEST) + "…";
    }
}
