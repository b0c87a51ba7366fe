package dev.stowage.manager.weka;

import dev.stowage.core.error.StowageException;
import dev.stowage.kube.Events;
import dev.stowage.kube.weka.WekaResources;
import dev.stowage.kube.work.Backoff;
import dev.stowage.kube.work.WorkQueue;
import dev.stowage.manager.apply.Adoption;
import dev.stowage.manager.apply.Applier;
import dev.stowage.manager.apply.StatusBook;
import dev.stowage.manager.apply.Sync;
import dev.stowage.manager.beside.MountHolders;
import dev.stowage.manager.beside.NodeServers;
import dev.stowage.manager.driver.RenderingSettings;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks after storage clients and the drivers that follow them. */
public final class WekaRole implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WekaRole.class);
    private static final int AT_ONCE = 16;
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);

    private final World world;
    private final ClientReconciler clients;
    private final ContainerReconciler containers;
    private final DriverReconciler drivers;
    private final Topology topology;
    private final BooleanSupplier works;
    private final BooleanSupplier leads;
    private volatile @Nullable WorkQueue queue;

    /**
     * What it works with.
     *
     * @param name by which the API server knows who writes
     * @param values the ConfigMap with the values, as NAMESPACE/NAME
     * @param again how often everything is looked at although nothing has changed
     * @param volumes how many a driver has
     */
    public record Parts(
            KubernetesClient client,
            String name,
            String values,
            Duration again,
            RenderingSettings rendering,
            ToLongFunction<String> volumes) {}

    /**
     * Begins to follow everything.
     *
     * @param works whether it has begun; until then nothing is done, and then all is looked at
     * @param leads whether anything may be changed now
     */
    public WekaRole(Parts parts, BooleanSupplier works, BooleanSupplier leads) {
        this.works = works;
        this.leads = leads;
        var client = parts.client();
        world = new World(client, parts.values(), parts.again(), this::look);
        var claims = new Claims(world);
        var events = new Events(client, parts.name());
        var book = new StatusBook(client);
        var applier = new Applier(client, parts.name(), WekaOwnership.LABELS);
        var holders = new MountHolders(client);
        drivers = new DriverReconciler(
                world,
                claims,
                new Sync(world.children(), new Adoption(client, world.children(), applier), applier, events),
                new ContainerServers(
                        world,
                        claims,
                        new NodeServers(client, WekaResources.NODE_HASH),
                        holders,
                        InstantSource.system()),
                parts.rendering(),
                parts.volumes(),
                client.getKubernetesSerialization(),
                events,
                this::look);
        clients = new ClientReconciler(
                client,
                world,
                new ClientContainers(client, world),
                new ClientDrivers(claims, drivers, holders, events, this::look),
                book);
        containers =
                new ContainerReconciler(world, new NodeServers(client, WekaResources.CLIENT_HASH), book, this::look);
        topology = new Topology(client, world);
        queue = new WorkQueue(
                AT_ONCE,
                new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1)),
                key -> Optional.empty(),
                this::attempt);
    }

    private void look(Key key) {
        var now = queue;
        if (now != null) {
            now.add(key.text());
        }
    }

    private boolean attempt(String text) {
        if (!works.getAsBoolean()) {
            return true;
        }
        if (!leads.getAsBoolean()) {
            // It may lead again in a moment, and nobody would look at this any more.
            return false;
        }
        var key = Key.parse(text);
        try {
            return switch (key.kind()) {
                case CLIENT -> clients.reconcile(key.name());
                case CONTAINER -> containers.reconcile(key.name());
                case DRIVER -> drivers.reconcile(key.name());
                case NODE -> topology.reconcile(key.name());
            };
        } catch (StowageException failed) {
            LOG.info("{}: will try again: {}", text, failed.getMessage());
            return false;
        }
    }

    /** Whether it knows what there is. */
    public boolean ready() {
        return world.known();
    }

    /** Has everything looked at. */
    public void lookAtAll() {
        world.all(this::look);
    }

    @Override
    public void close() {
        var now = queue;
        if (now != null) {
            try {
                if (!now.close(STOP_PATIENCE)) {
                    LOG.warn("some work on clients is still under way; whoever leads next goes on with it");
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** After the election has ended. */
    public void forget() {
        world.close();
    }
}
