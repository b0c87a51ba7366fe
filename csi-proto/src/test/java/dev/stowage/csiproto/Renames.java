package dev.stowage.csiproto;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import java.util.Locale;

/** Gives a map field of a descriptor another name, and with it the hidden message that holds its entries. */
final class Renames {
    private final String from;
    private final String to;

    private Renames(String from, String to) {
        this.from = from;
        this.to = to;
    }

    static FileDescriptorProto undo(FileDescriptorProto file, String from, String to) {
        var renames = new Renames(from, to);
        var renamed = file.toBuilder();
        renamed.getMessageTypeBuilderList().forEach(renames::rename);
        return renamed.build();
    }

    private void rename(DescriptorProto.Builder message) {
        if (message.getName().equals(entryName(from))) {
            message.setName(entryName(to));
        }
        message.getFieldBuilderList().forEach(this::rename);
        message.getNestedTypeBuilderList().forEach(this::rename);
    }

    private void rename(FieldDescriptorProto.Builder field) {
        if (field.getName().equals(from)) {
            field.setName(to);
            field.setTypeName(field.getTypeName().replace(entryName(from), entryName(to)));
        }
    }

    /** protoc calls the entries of the map {@code some_name} {@code SomeNameEntry}. */
    private static String entryName(String field) {
        var name = new StringBuilder();
        for (String word : field.split("_", -1)) {
            name.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
        }
        return name.append("Entry").toString();
    }
}
