package dev.stowage.workbench.image;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.LinkedHashMap;
import java.util.Map;

/** Objects whose fields keep their order, so that the same content is the same bytes. */
final class Json {
    private static final JsonMapper MAPPER = new JsonMapper();

    private Json() {}

    /** An object from names and values in turn. */
    static Map<String, Object> object(Object... namesAndValues) {
        var result = new LinkedHashMap<String, Object>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            result.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return result;
    }

    static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("maps, lists, texts and numbers can be written", impossible);
        }
    }
}
