package dev.stowage.manager.weka;

import dev.stowage.kube.Events;
import dev.stowage.kube.weka.WekaClient;
import dev.stowage.kube.weka.WekaResources;
import dev.stowage.manager.apply.Adoption;
import dev.stowage.manager.apply.Applier;
import dev.stowage.manager.apply.FormerAccess;
import dev.stowage.manager.apply.Namespaces;
import dev.stowage.manager.apply.Ownership;
import dev.stowage.manager.apply.StatusBook;
import dev.stowage.manager.apply.Sync;
import dev.stowage.manager.beside.MountHolders;
import dev.stowage.manager.beside.NodeServers;
import dev.stowage.manager.driver.RenderingSettings;
import dev.stowage.manager.driver.Volumes;
import dev.stowage.manager.metrics.Passes;
import dev.stowage.manager.work.LeadersQueue;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** Looks after storage clients and the drivers that follow them. */
public final class WekaRole implements AutoCloseable {

    /** By which objects tell that they were made for the driver of clients. */
    public static final Ownership LABELS = WekaOwnership.LABELS;

    private final World world;
    private final ClientReconciler clients;
    private final ContainerReconciler containers;
    private final DriverReconciler drivers;
    private final Topology topology;
    private final LeadersQueue queue;

    /**
     * What it works with.
     *
     * @param name by which the API server knows who writes
     * @param values the ConfigMap with the values, as NAMESPACE/NAME
     * @param again how often everything is looked at although nothing has changed
     * @param volumes that a driver has
     * @param neighbours how objects tell for whom they were made that the manager makes in its other role
     */
    public record Parts(
            KubernetesClient client,
            String name,
            String values,
            Duration again,
            RenderingSettings rendering,
            Function<String, Volumes> volumes,
            Namespaces namespaces,
            Ownership neighbours) {}

    /**
     * Begins to follow everything.
     *
     * @param leads whether anything may be changed now
     */
    public WekaRole(Parts parts, BooleanSupplier leads) {
        queue = new LeadersQueue("wekaclients", leads);
        var client = parts.client();
        world = new World(client, parts.values(), parts.again(), this::look);
        var departures = new Departures(world, InstantSource.system());
        var claims = new Claims(world, departures);
        var events = new Events(client, parts.name());
        var book = new StatusBook(client);
        var applier = new Applier(client, parts.name(), WekaOwnership.LABELS);
        var holders = new MountHolders(client);
        var servers = new NodeServers(client, parts.name(), WekaResources.NODE_HASH);
        var records = new ServerRecords(client, servers.placement());
        drivers = new DriverReconciler(
                world,
                claims,
                new Sync(
                        world.children(),
                        new Adoption(client, world.children(), applier, parts.neighbours()),
                        applier,
                        events,
                        parts.namespaces(),
                        driver -> look(Key.driver(driver))),
                new FormerAccess(client, world.children()),
                new ContainerServers(
                        world, new Servings(world, claims, records, holders), servers, records, departures),
                parts.rendering(),
                parts.volumes(),
                client.getKubernetesSerialization(),
                events,
                this::look);
        clients = new ClientReconciler(
                client,
                world,
                new ClientContainers(client, world),
                new ClientDrivers(claims, drivers, new LeavingNews(world, claims, holders, events), events, this::look),
                departures,
                book);
        containers = new ContainerReconciler(
                world,
                new NodeServers(client, parts.name(), WekaResources.CLIENT_HASH),
                drivers::state,
                book,
                events,
                this::look);
        topology = new Topology(client, world);
    }

    private void look(Key key) {
        queue.add(key.text());
    }

    private boolean reconcile(String text) {
        var key = Key.parse(text);
        return switch (key.kind()) {
            case CLIENT -> clients.reconcile(key.name());
            case CONTAINER -> containers.reconcile(key.name());
            case DRIVER -> drivers.reconcile(key.name());
            case NODE -> topology.reconcile(key.name());
        };
    }

    /** Whether it knows what there is. */
    public boolean ready() {
        return world.known();
    }

    /** Has everything looked at, now and whenever it changes. */
    public void begin() {
        queue.begin(this::reconcile);
        world.all(this::look);
    }

    /** What it did, and has to do. */
    public Passes passes() {
        return queue.passes();
    }

    public List<WekaClient> clients() {
        return world.clients();
    }

    @Override
    public void close() {
        queue.close();
    }

    /** After the election has ended. */
    public void forget() {
        world.close();
    }
}
