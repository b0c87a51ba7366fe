package dev.stowage.manager;

import dev.stowage.kube.ApiRequests;
import dev.stowage.kube.Cache;
import dev.stowage.kube.Events;
import dev.stowage.kube.KubernetesClients;
import dev.stowage.kube.LeaderElection;
import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.manager.apply.Adoption;
import dev.stowage.manager.apply.Applier;
import dev.stowage.manager.apply.Children;
import dev.stowage.manager.apply.FormerAccess;
import dev.stowage.manager.apply.Namespaces;
import dev.stowage.manager.apply.StatusBook;
import dev.stowage.manager.apply.Sync;
import dev.stowage.manager.beside.MountHolders;
import dev.stowage.manager.beside.NodeServers;
import dev.stowage.manager.beside.ReadyNodes;
import dev.stowage.manager.driver.GroupSnapshots;
import dev.stowage.manager.metrics.Doings;
import dev.stowage.manager.metrics.ManagerMetrics;
import dev.stowage.manager.weka.WekaRole;
import dev.stowage.manager.work.LeadersQueue;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deploys drivers for as long as it leads. Of several managers in a cluster, one does. */
public final class Manager implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Manager.class);
    private static final String NAME = "stowage-manager";
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration ELECTION_TIMEOUT = Duration.ofSeconds(5);
    private static final int RETRIES = 3;
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration RENEWAL_TOLERANCE = Duration.ofSeconds(20);

    private final Doings doings = new Doings();
    private final ManagerMetrics metrics;
    private final KubernetesClient client;
    private final KubernetesClient electoral;
    private final Cache<CsiDriverDeployment> deployments;
    private final LeadersQueue queue = new LeadersQueue("csidriverdeployments", this::leads);
    private final DeploymentReconciler reconciler;
    private final Children children;
    private final Namespaces namespaces;
    private final Cache<Pod> pods;
    private final Cache<CSINode> nodes;
    private final Revisions revisions;
    private final ClientPods clientPods;
    private final Optional<WekaRole> clients;
    private final LeaderElection election;

    private Manager(ManagerSettings settings, Consumer<String> lost) {
        var requests = new ApiRequests();
        var renewals = new ApiRequests();
        metrics = new ManagerMetrics(settings.version(), doings, Map.of("work", requests, "election", renewals));
        client = KubernetesClients.connect(
                settings.kubeconfig(), NAME + "/" + settings.version(), REQUEST_TIMEOUT, RETRIES, requests);
        electoral = KubernetesClients.connect(
                settings.kubeconfig(), "stowage-election/" + settings.version(), ELECTION_TIMEOUT, 0, renewals);
        deployments = Cache.start(
                client.resources(CsiDriverDeployment.class).inAnyNamespace(),
                Map.of(),
                settings.again(),
                new Deployments(queue::add),
                LOG::debug);
        namespaces = new Namespaces(client, settings.again());
        children = new Children(client, DeploymentOwnership.LABELS, settings.again(), queue::add);
        pods = Children.pods(client, DeploymentOwnership.LABELS, settings.again(), queue::add);
        nodes = Cache.start(
                client.storage().v1().csiNodes(),
                Map.of(),
                settings.again(),
                new Registrations(this::lookAtAll),
                LOG::debug);
        revisions = new Revisions(client, settings.again(), queue::add);
        clientPods = new ClientPods(client, settings.again(), queue::add);
        var volumes = new KnownVolumes(client, settings.again());
        reconciler = reconciler(settings, volumes);
        clients = settings.clients()
                .map(values -> new WekaRole(
                        new WekaRole.Parts(
                                client,
                                NAME,
                                values,
                                settings.again(),
                                settings.rendering(),
                                volumes::of,
                                namespaces,
                                DeploymentOwnership.LABELS),
                        this::leads));
        election = LeaderElection.join(electoral, terms(settings), this::begin, lost);
    }

    private DeploymentReconciler reconciler(ManagerSettings settings, KnownVolumes volumes) {
        var events = new Events(client, NAME);
        var book = new StatusBook(client);
        var applier = new Applier(client, NAME, DeploymentOwnership.LABELS);
        var nodePods = new NodePods(client, pods);
        var preflights = new Preflights(client::raw, InstantSource.system(), queue::add);
        var holders = new MountHolders(client);
        var names = new KnownNames(children, pods);
        var protection = new Protection(settings.protectsVolumes());
        var beside = new BesideClients(
                pods,
                clientPods,
                new NodeServers(client, NAME, BesideClients.TEMPLATE),
                names,
                holders,
                ReadyNodes.asked(client),
                InstantSource.system());
        var restarts = new Restarts(client, revisions, nodePods, names, holders);
        var reports = new NodeReports(nodePods, revisions, nodes, preflights, beside.placement());
        var standing = new Standing(children, beside, reports, names);
        var refusals = new Refusals(book, events, doings, restarts, standing);
        var management = new Management(
                children,
                new Reports(
                        withoutRetries()::raw,
                        owner -> pods.by(Children.BY_OWNER, owner),
                        InstantSource.system(),
                        queue::add),
                new GroupSnapshots(
                        settings.rendering().images(),
                        new ServedResources(client::getApiResources, InstantSource.system())::of),
                volumes,
                new Sync(
                        children,
                        new Adoption(client, children, applier, WekaRole.LABELS),
                        applier,
                        events,
                        namespaces,
                        queue::add),
                beside,
                new HeldPlaces(client, children, nodePods, beside, names, holders),
                new Predecessors(client, children, pods, nodePods, InstantSource.system()),
                new FormerAccess(client, children),
                new Rollouts(client, revisions, nodePods, settings.rolloutDeadline()),
                restarts,
                new Overview(children, reports),
                settings.rendering(),
                book,
                refusals,
                events,
                doings);
        var removal = new Removal(client, children, book, events, restarts, beside, names, holders, protection);
        var renames = new Renames(names, holders, protection);
        return new DeploymentReconciler(client, deployments, renames, management, removal, book, refusals, standing);
    }

    /** For whoever asks again himself: a pod that nobody reaches is not to hold a pass up for longer than one request may take. */
    private KubernetesClient withoutRetries() {
        return client.newClient(
                        new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
                                .withRequestRetryBackoffLimit(0)
                                .build())
                .adapt(KubernetesClient.class);
    }

    /** @param lost is told why, when this process must not lead any more and has to end at once */
    public static Manager start(ManagerSettings settings, Consumer<String> lost) {
        return new Manager(settings, lost);
    }

    /** Somebody wants something else of a driver. */
    private record Deployments(Consumer<String> changed) implements Cache.Changes<CsiDriverDeployment> {
        @Override
        public void seen(@Nullable CsiDriverDeployment before, CsiDriverDeployment now) {
            changed.accept(DeploymentReconciler.key(now));
        }

        @Override
        public void gone(CsiDriverDeployment last) {
            // What it had is gone, or has its labels and is found by them.
        }
    }

    /** A driver was registered with a kubelet, or is not any more. */
    private record Registrations(Runnable changed) implements Cache.Changes<CSINode> {
        @Override
        public void seen(@Nullable CSINode before, CSINode now) {
            if (before == null
                    || !Objects.equals(
                            before.getSpec().getDrivers(), now.getSpec().getDrivers())) {
                changed.run();
            }
        }

        @Override
        public void gone(CSINode last) {
            changed.run();
        }
    }

    private boolean leads() {
        return election.leads();
    }

    /** Whether it knows what there is. */
    public boolean ready() {
        return deployments.filled()
                && namespaces.known()
                && children.known()
                && pods.filled()
                && nodes.filled()
                && revisions.known()
                && clients.map(WekaRole::ready).orElse(true);
    }

    /** What keeps it from being of use, if anything does. */
    public Optional<String> unready() {
        return ready() ? Optional.empty() : Optional.of("not everything that is in the cluster is known yet");
    }

    /** Why this process should rather start anew, if it should. */
    public Optional<String> problem() {
        return election.problem(RENEWAL_TOLERANCE);
    }

    /** Its figures, in Prometheus' text format. */
    public String metrics() {
        var passes = Stream.concat(Stream.of(queue.passes()), clients.map(WekaRole::passes).stream())
                .toList();
        return metrics.text(new ManagerMetrics.Now(
                leads(),
                passes,
                deployments.all(),
                this::wantedNodes,
                clients.map(WekaRole::clients).orElse(List.of())));
    }

    /** By its DaemonSet, by the clients that it is beside, or by one and the other while it goes from one to the other. */
    private int wantedNodes(CsiDriverDeployment deployment) {
        String key = DeploymentReconciler.key(deployment);
        int onAll = children.of(key).stream()
                .filter(DaemonSet.class::isInstance)
                .map(set -> ((DaemonSet) set).getStatus())
                .filter(status -> status != null && status.getDesiredNumberScheduled() != null)
                .mapToInt(status -> status.getDesiredNumberScheduled())
                .sum();
        return onAll + clientPods.count(key);
    }

    /** Everything that happened before this process led is looked at now, as soon as it is known. */
    private void begin() {
        Thread.ofVirtual().name("first-look").start(() -> {
            try {
                while (!ready()) {
                    Thread.sleep(LOOK);
                }
                queue.begin(reconciler::reconcile);
                lookAtAll();
                clients.ifPresent(WekaRole::begin);
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void lookAtAll() {
        deployments.all().forEach(deployment -> queue.add(DeploymentReconciler.key(deployment)));
    }

    private static LeaderElection.Settings terms(ManagerSettings settings) {
        return new LeaderElection.Settings(
                settings.namespace(),
                NAME,
                NAME + "-" + UUID.randomUUID(),
                Duration.ofSeconds(10),
                Duration.ofSeconds(7),
                Duration.ofSeconds(2),
                Map.of());
    }

    @Override
    public void close() {
        queue.close();
        clients.ifPresent(WekaRole::close);
        // Nobody else is to begin before.
        election.close();
        clients.ifPresent(WekaRole::forget);
        namespaces.close();
        children.close();
        pods.close();
        nodes.close();
        revisions.close();
        clientPods.close();
        deployments.close();
        electoral.close();
        client.close();
    }
}
