package dev.stowage.manager.apply;

import dev.stowage.kube.Cache;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The namespaces in which something can be made. Who wants to in another one is told when it can be. */
public final class Namespaces implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Namespaces.class);

    private final Cache<Namespace> all;
    private final Map<String, Set<Waiting>> waiting = new HashMap<>();

    private record Waiting(String owner, Consumer<String> look) {}

    public Namespaces(KubernetesClient client, Duration again) {
        all = Cache.start(client.namespaces(), Map.of(), again, new Changes(), LOG::debug);
    }

    private final class Changes implements Cache.Changes<Namespace> {
        @Override
        public void seen(@Nullable Namespace before, Namespace now) {
            if (isOpen(now)) {
                came(now.getMetadata().getName());
            }
        }

        @Override
        public void gone(Namespace last) {
            // What was in it is gone as well, and told by those who follow it.
        }
    }

    /** Nothing new comes into one that ends, which can take for as long as something in it holds it up. */
    private static boolean isOpen(Namespace namespace) {
        return namespace.getMetadata().getDeletionTimestamp() == null;
    }

    private synchronized void came(String name) {
        var told = waiting.remove(name);
        if (told != null) {
            told.forEach(each -> each.look.accept(each.owner));
        }
    }

    public boolean known() {
        return all.filled();
    }

    /**
     * Whether something can be made in a namespace.
     *
     * @param look is told the owner when it can, if it cannot now
     */
    synchronized boolean open(String name, String owner, Consumer<String> look) {
        boolean open = all.find(name).filter(Namespaces::isOpen).isPresent();
        if (!open) {
            waiting.computeIfAbsent(name, key -> new HashSet<>()).add(new Waiting(owner, look));
        }
        return open;
    }

    @Override
    public void close() {
        all.close();
    }
}
