package dev.stowage.backend.vsc.node;

import dev.stowage.backend.vsc.secret.NodePublicKey;
import dev.stowage.core.error.StowageException;
import dev.stowage.kube.vsc.VscNode;
import dev.stowage.kube.vsc.VscResources;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells what arrays have to know of this node, in the VSCNode of its name, and keeps it true. It stays when the driver goes. */
final class Registration implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Registration.class);
    private static final Duration LOOK = Duration.ofSeconds(30);
    private static final Duration RETRY = Duration.ofSeconds(2);

    private final KubernetesClient client;
    private final VscNodeSettings settings;
    private final String initiator;
    private final NodePublicKey key;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().name("vscnode").daemon().unstarted(task));

    private volatile String trouble = "this node is not known as a VSCNode yet";

    Registration(KubernetesClient client, VscNodeSettings settings, String initiator, NodePublicKey key) {
        this.client = client;
        this.settings = settings;
        this.initiator = initiator;
        this.key = key;
        clock.execute(this::tell);
    }

    /** Why arrays do not know this node, if they do not. */
    Optional<String> trouble() {
        return trouble.isEmpty() ? Optional.empty() : Optional.of(trouble);
    }

    private void tell() {
        var next = RETRY;
        try {
            write();
            trouble = "";
            next = LOOK;
        } catch (KubernetesClientException | StowageException failed) {
            String reason = "VSCNode %s cannot be kept true: %s".formatted(settings.node(), failed.getMessage());
            if (!reason.equals(trouble)) {
                LOG.warn("{}", reason);
            }
            trouble = reason;
        }
        if (!clock.isShutdown()) {
            var _ = clock.schedule(this::tell, next.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void write() {
        var nodes = client.resources(VscNode.class);
        String name = settings.node().value();
        var present = nodes.withName(name).get();
        var spec = new VscNode.Spec(
                Optional.ofNullable(present)
                        .map(node -> node.getSpec().displayName())
                        .orElse(name),
                Optional.ofNullable(present)
                        .map(node -> node.getSpec().description())
                        .orElse(null),
                new VscNode.Nas(StorageAddress.find(settings)),
                new VscNode.Block(initiator));
        if (present == null) {
            var node = new VscNode();
            node.setMetadata(new ObjectMetaBuilder()
                    .withName(name)
                    .withAnnotations(Map.of(VscResources.NODE_KEY, key.text()))
                    .build());
            node.setSpec(spec);
            nodes.resource(node).create();
            LOG.info("VSCNode {} tells {} and {}", name, spec.nas(), spec.block());
            return;
        }
        var annotations =
                Optional.ofNullable(present.getMetadata().getAnnotations()).orElse(Map.of());
        if (!spec.equals(present.getSpec()) || !key.text().equals(annotations.get(VscResources.NODE_KEY))) {
            var changed = new HashMap<>(annotations);
            changed.put(VscResources.NODE_KEY, key.text());
            present.getMetadata().setAnnotations(changed);
            present.setSpec(spec);
            nodes.resource(present).update();
            LOG.info("VSCNode {} now tells {} and {}", name, spec.nas(), spec.block());
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
