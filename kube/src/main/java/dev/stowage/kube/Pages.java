package dev.stowage.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.dsl.Listable;
import java.util.function.Consumer;

/** Lists that may be long, of which only a part is in memory at a time. */
public final class Pages {

    private static final long PAGE = 500;

    private Pages() {}

    /** @param what is listed */
    public static <T extends HasMetadata, L extends KubernetesResourceList<T>> void each(
            String what, Listable<L> all, Consumer<? super T> consumer) {
        String next = null;
        do {
            var options =
                    new ListOptionsBuilder().withLimit(PAGE).withContinue(next).build();
            var page = Api.call(what, () -> all.list(options));
            page.getItems().forEach(consumer);
            next = page.getMetadata().getContinue();
        } while (next != null && !next.isEmpty());
    }
}
