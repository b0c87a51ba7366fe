package dev.stowage.conformance.rpc;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import csi.v1.Csi;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A place in a request where text stands or could stand: a field, an element of a list, a key or a value of a map.
 *
 * @param path where it is, such as {@code volume_capability.mount.mount_flags[+]}; a plus stands for one more
 * @param with the request with another text there
 */
public record Spot(String path, boolean secret, Function<String, Message> with) {

    public static List<Spot> in(Message request) {
        var spots = new ArrayList<Spot>();
        collect(request, "", changed -> changed, spots);
        return spots;
    }

    /** The name of the field, without what leads to it. */
    public String field() {
        return path.replaceAll("\\[[^\\]]*\\]", "").replaceFirst(".*\\.", "");
    }

    private static void collect(Message message, String prefix, Function<Message, Message> whole, List<Spot> spots) {
        for (var field : message.getDescriptorForType().getFields()) {
            String path = prefix + field.getName();
            if (field.isMapField()) {
                collectMap(message, field, path, whole, spots);
            } else if (field.getJavaType() == FieldDescriptor.JavaType.STRING) {
                collectText(message, field, path, whole, spots);
            } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                collectNested(message, field, path, whole, spots);
            }
        }
    }

    private static void collectText(
            Message message, FieldDescriptor field, String path, Function<Message, Message> whole, List<Spot> spots) {
        if (!field.isRepeated()) {
            spots.add(new Spot(
                    path,
                    secret(field),
                    text -> whole.apply(
                            message.toBuilder().setField(field, text).build())));
            return;
        }
        for (int i = 0; i < message.getRepeatedFieldCount(field); i++) {
            int index = i;
            spots.add(new Spot(
                    path + "[" + i + "]",
                    secret(field),
                    text -> whole.apply(message.toBuilder()
                            .setRepeatedField(field, index, text)
                            .build())));
        }
        spots.add(new Spot(
                path + "[+]",
                secret(field),
                text -> whole.apply(
                        message.toBuilder().addRepeatedField(field, text).build())));
    }

    private static void collectMap(
            Message message, FieldDescriptor field, String path, Function<Message, Message> whole, List<Spot> spots) {
        var key = field.getMessageType().findFieldByNumber(1);
        var value = field.getMessageType().findFieldByNumber(2);
        for (int i = 0; i < message.getRepeatedFieldCount(field); i++) {
            int index = i;
            var entry = (Message) message.getRepeatedField(field, i);
            spots.add(new Spot(
                    path + "[" + entry.getField(key) + "]",
                    secret(field),
                    text -> whole.apply(message.toBuilder()
                            .setRepeatedField(
                                    field,
                                    index,
                                    entry.toBuilder().setField(value, text).build())
                            .build())));
        }
        spots.add(new Spot(
                path + "[+key]",
                secret(field),
                text -> whole.apply(message.toBuilder()
                        .addRepeatedField(field, entry(message, field, text, "x"))
                        .build())));
        spots.add(new Spot(
                path + "[+value]",
                secret(field),
                text -> whole.apply(message.toBuilder()
                        .addRepeatedField(field, entry(message, field, "x", text))
                        .build())));
    }

    private static Message entry(Message message, FieldDescriptor field, String key, String value) {
        var builder = (MapEntry.Builder<?, ?>) message.toBuilder().newBuilderForField(field);
        return builder.setField(field.getMessageType().findFieldByNumber(1), key)
                .setField(field.getMessageType().findFieldByNumber(2), value)
                .build();
    }

    private static void collectNested(
            Message message, FieldDescriptor field, String path, Function<Message, Message> whole, List<Spot> spots) {
        if (field.isRepeated()) {
            for (int i = 0; i < message.getRepeatedFieldCount(field); i++) {
                int index = i;
                collect(
                        (Message) message.getRepeatedField(field, i),
                        path + "[" + i + "].",
                        nested -> whole.apply(message.toBuilder()
                                .setRepeatedField(field, index, nested)
                                .build()),
                        spots);
            }
        } else if (message.hasField(field)) {
            collect(
                    (Message) message.getField(field),
                    path + ".",
                    nested -> whole.apply(
                            message.toBuilder().setField(field, nested).build()),
                    spots);
        }
    }

    private static boolean secret(FieldDescriptor field) {
        return field.getOptions().getExtension(Csi.csiSecret);
    }

    @Override
    public String toString() {
        return path;
    }
}
