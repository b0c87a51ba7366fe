package dev.stowage.manager.driver;

import dev.stowage.kube.csidriver.CsiDriverDeployment.Spec;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Elements of lists that are nothing, as a dash alone is in YAML. The API server keeps them where it does not know what is in a list.
 *
 * @param paths where they are
 * @param without the same without them, in which the rest can be looked at
 */
record Gaps(List<String> paths, Spec without) {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    static Gaps of(Spec spec) {
        var paths = new ArrayList<String>();
        var closed = closed("", SERIALIZATION.convertValue(spec, Map.class), paths);
        return new Gaps(paths, paths.isEmpty() ? spec : SERIALIZATION.convertValue(closed, Spec.class));
    }

    private static @Nullable Object closed(String path, @Nullable Object value, List<String> paths) {
        return switch (value) {
            case Map<?, ?> map -> {
                var fields = new LinkedHashMap<Object, @Nullable Object>();
                map.forEach((key, each) ->
                        fields.put(key, closed(path.isEmpty() ? "" + key : path + "." + key, each, paths)));
                yield fields;
            }
            case List<?> list -> {
                var elements = new ArrayList<@Nullable Object>();
                for (int index = 0; index < list.size(); index++) {
                    String where = path + "[" + index + "]";
                    if (list.get(index) == null) {
                        paths.add(where);
                    } else {
                        elements.add(closed(where, list.get(index), paths));
                    }
                }
                yield elements;
            }
            case null, default -> value;
        };
    }
}
