package dev.stowage.kube;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Reads what users write. A spec that is not what it should be is one that tells so.
 *
 * <p>Definitions that keep unknown fields let through what no type fits: a text where a list belongs. One such resource must not make a
 * watch, and with it all others of its kind, unreadable.
 */
public abstract class SpecReader<T> extends JsonDeserializer<T> {

    private final Class<T> type;
    private final BiFunction<String, JsonNode, T> unreadable;

    /** @param unreadable what stands for one that cannot be read, given the reason */
    protected SpecReader(Class<T> type, Function<String, T> unreadable) {
        this(type, (why, _) -> unreadable.apply(why));
    }

    /** @param unreadable what stands for one that cannot be read, given the reason and the whole of it, in which some of it may be found */
    protected SpecReader(Class<T> type, BiFunction<String, JsonNode, T> unreadable) {
        this.type = type;
        this.unreadable = unreadable;
    }

    @Override
    public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        JsonNode tree = parser.readValueAsTree();
        try {
            return parser.getCodec().treeToValue(tree, type);
        } catch (JsonMappingException wrong) {
            return unreadable.apply("spec" + path(wrong) + ": " + wrong.getOriginalMessage(), tree);
        } catch (JsonProcessingException wrong) {
            return unreadable.apply("spec: " + wrong.getOriginalMessage(), tree);
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
