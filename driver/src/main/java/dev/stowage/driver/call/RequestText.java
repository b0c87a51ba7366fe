package dev.stowage.driver.call;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import csi.v1.Csi;
import dev.stowage.driver.log.LogText;
import java.util.List;

/**
 * A message as text for the log.
 *
 * <p>A field that the interface marks as secret is left out wherever it stands, by its mark and not by its name, so that a secret
 * field of a later version is left out too.
 */
public final class RequestText {

    private static final int LONGEST = 4096;
    private static final String STRIPPED = "<stripped>";

    /** Kubernetes passes tokens of service accounts here, in a context and not in a secret. */
    private static final String TOKENS = "csi.storage.k8s.io/serviceAccount.tokens";

    private final StringBuilder text = new StringBuilder();

    private RequestText() {}

    public static String of(Object request) {
        if (!(request instanceof Message message)) {
            return "";
        }
        var rendering = new RequestText();
        rendering.append(message);
        return rendering.bounded();
    }

    private void append(Message message) {
        text.append('{');
        String separator = "";
        for (var entry : message.getAllFields().entrySet()) {
            if (full()) {
                return;
            }
            var field = entry.getKey();
            text.append(separator).append(field.getName()).append(": ");
            separator = ", ";
            if (field.getOptions().getExtension(Csi.csiSecret)) {
                text.append(STRIPPED);
            } else if (entry.getValue() instanceof List<?> values) {
                append(field, values);
            } else {
                append(field, entry.getValue());
            }
        }
        text.append('}');
    }

    private void append(FieldDescriptor field, List<?> values) {
        text.append('[');
        String separator = "";
        for (Object value : values) {
            if (full()) {
                return;
            }
            text.append(separator);
            separator = ", ";
            append(field, value);
        }
        text.append(']');
    }

    private void append(FieldDescriptor field, Object value) {
        switch (value) {
            case Message nested
            when field.isMapField() -> {
                var entry = nested.getDescriptorForType();
                Object key = nested.getField(entry.findFieldByNumber(1));
                append(field, key);
                text.append(": ");
                append(field, TOKENS.equals(key) ? STRIPPED : nested.getField(entry.findFieldByNumber(2)));
            }
            case Message nested -> append(nested);
            case EnumValueDescriptor constant -> text.append(constant.getName());
            case String string -> LogText.appendEscaped(text, string);
            default -> text.append(value);
        }
    }

    private boolean full() {
        return text.length() > LONGEST;
    }

    private String bounded() {
        return full() ? text.substring(0, LONGEST) + "…" : text.toString();
    }
}
