package dev.stowage.kube;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.function.Function;

/**
 * Reads what users write.
 *
 * <p>Definitions that keep unknown fields let through what no type fits: a text where a list belongs. One such resource must not make a
 * watch, and with it all others of its kind, unreadable.
 */
public final class Readable {

    private Readable() {}

    /**
     * Reads a part of a resource.
     *
     * @param field where the part is in its resource
     * @param otherwise what stands for one that cannot be read, given the reason
     */
    public static <T> T read(JsonParser parser, Class<T> type, String field, Function<String, T> otherwise)
            throws IOException {
        JsonNode tree = parser.readValueAsTree();
        try {
            return parser.getCodec().treeToValue(tree, type);
        } catch (JsonMappingException wrong) {
            return otherwise.apply(field + path(wrong) + ": " + wrong.getOriginalMessage());
        } catch (JsonProcessingException wrong) {
            return otherwise.apply(field + ": " + wrong.getOriginalMessage());
        }
    }

    private static String path(JsonMappingException wrong) {
        var path = new StringBuilder();
        for (var step : wrong.getPath()) {
            if (step.getFieldName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append('.').append(step.getFieldName());
            }
        }
        return path.toString();
    }
}
