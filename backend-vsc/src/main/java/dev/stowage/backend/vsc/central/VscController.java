package dev.stowage.backend.vsc.central;

import dev.stowage.backend.vsc.VscAbilities;
import dev.stowage.backend.vsc.VscSettings;
import dev.stowage.backend.vsc.central.attachment.AttachmentKeeper;
import dev.stowage.backend.vsc.central.attachment.Fencing;
import dev.stowage.backend.vsc.central.attachment.Logins;
import dev.stowage.backend.vsc.central.attachment.VscAttachments;
import dev.stowage.backend.vsc.central.member.ArraySync;
import dev.stowage.backend.vsc.central.member.ClassSync;
import dev.stowage.backend.vsc.central.member.Import;
import dev.stowage.backend.vsc.central.member.Members;
import dev.stowage.backend.vsc.central.resource.Resources;
import dev.stowage.backend.vsc.central.volume.Abandoned;
import dev.stowage.backend.vsc.central.volume.Growth;
import dev.stowage.backend.vsc.central.volume.SnapshotKeeper;
import dev.stowage.backend.vsc.central.volume.VolumeEnd;
import dev.stowage.backend.vsc.central.volume.VolumeKeeper;
import dev.stowage.backend.vsc.central.volume.VscExpansion;
import dev.stowage.backend.vsc.central.volume.VscSnapshots;
import dev.stowage.backend.vsc.central.volume.VscVolumes;
import dev.stowage.backend.vsc.secret.Vault;
import dev.stowage.core.backend.Ability;
import dev.stowage.core.backend.Attachments;
import dev.stowage.core.backend.Backend;
import dev.stowage.core.backend.Capacity;
import dev.stowage.core.backend.ControllerSide;
import dev.stowage.core.backend.Expansion;
import dev.stowage.core.backend.Gauge;
import dev.stowage.core.backend.NodeVolumes;
import dev.stowage.core.backend.Snapshots;
import dev.stowage.core.backend.Volumes;
import dev.stowage.core.lane.Lanes;
import dev.stowage.kube.Cache;
import dev.stowage.kube.Events;
import dev.stowage.kube.KubernetesClients;
import dev.stowage.kube.LeaderElection;
import dev.stowage.kube.work.Backoff;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The controller of many arrays. Of several, one leads and does everything; the others wait to take over. */
public final class VscController implements Backend {

    private static final Logger LOG = LoggerFactory.getLogger(VscController.class);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final int RETRIES = 3;
    private static final Duration ELECTION_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration LANE_PATIENCE = Duration.ofSeconds(5);
    private static final Duration LOGIN_LOOK = Duration.ofSeconds(2);
    private static final Duration NODE_LOOK = Duration.ofSeconds(5);
    /** What a request may take beyond its time limit until its array has surely given it up, too. */
    private static final Duration SETTLING = Duration.ofSeconds(5);

    private final KubernetesClient client;
    private final KubernetesClient electoral;
    private final Members members;
    private final Reconcilers reconcilers;
    private final Resources resources;
    private final Cache<Node> nodes;
    private final LeaderElection election;
    private final Side side;

    /** @param lost is told why, when this process must not lead any more and has to end at once */
    private VscController(VscSettings settings, Path keys, Consumer<String> lost) {
        client = KubernetesClients.connect(
                settings.kubeconfig(), "stowage-controller/" + settings.version(), REQUEST_TIMEOUT, RETRIES);
        electoral = KubernetesClients.connect(
                settings.kubeconfig(), "stowage-election/" + settings.version(), ELECTION_TIMEOUT, 0);
        members = new Members(settings.arrays(), settings.allocator());
        reconcilers = new Reconcilers(this::leads, () -> notReady().isEmpty());
        resources = new Resources(client, reconcilers, this::leads);
        var lanes = new Lanes(LANE_PATIENCE);
        var events = new Events(client, settings.driverName());
        var settled = settings.arrays().timeout().plus(SETTLING);
        var growth = new Growth(resources, settled, InstantSource.system());
        var abandoned = new Abandoned(resources, members, settled, InstantSource.system());
        var volumeKeeper = new VolumeKeeper(resources, members, abandoned, growth);
        var volumeEnd = new VolumeEnd(resources, members, abandoned);
        var snapshotKeeper = new SnapshotKeeper(resources, members);
        var attachmentKeeper = new AttachmentKeeper(resources, members);
        var volumes = new VscVolumes(resources, volumeKeeper, volumeEnd, lanes);
        side = new Side(
                volumes,
                Optional.of(new VscAttachments(resources, members, attachmentKeeper, lanes)),
                Optional.of(new VscCapacity(resources, members)),
                Optional.of(new VscExpansion(resources, members, volumes, growth, lanes)),
                Optional.of(new VscSnapshots(resources, volumes, snapshotKeeper, lanes)));
        var logins = new Logins(resources, members, attachmentKeeper);
        var fencing = new Fencing(resources, attachmentKeeper, client, settings, events, lanes);
        nodes = Cache.start(
                client.nodes(), Map.of(), settings.arrays().interval(), new NodeChanges(reconcilers), LOG::debug);
        register(
                settings,
                new Upkeep(resources, volumeKeeper, volumeEnd, snapshotKeeper, attachmentKeeper, lanes),
                new ArraySync(
                        resources,
                        members,
                        new Vault(keys),
                        new Import(resources),
                        events,
                        () -> reconcilers.wake(Reconcilers.VOLUME)),
                new ClassSync(resources, events),
                logins,
                fencing);
        election = LeaderElection.join(electoral, terms(settings), this::begin, lost);
    }

    public static VscController open(VscSettings settings, Path keys, Consumer<String> lost) {
        return new VscController(settings, keys, lost);
    }

    private record Side(
            Volumes volumes,
            Optional<Attachments> attachments,
            Optional<Capacity> capacity,
            Optional<Expansion> expansion,
            Optional<Snapshots> snapshots)
            implements ControllerSide {}

    private record NodeChanges(Reconcilers reconcilers) implements Cache.Changes<Node> {
        @Override
        public void seen(@Nullable Node before, Node now) {
            reconcilers.add(Reconcilers.NODE, now.getMetadata().getName());
        }

        @Override
        public void gone(Node last) {
            // Whoever takes a node out of the cluster has seen to its pods; its attachments end as Kubernetes asks.
        }
    }

    private void register(
            VscSettings settings, Upkeep upkeep, ArraySync arrays, ClassSync classes, Logins logins, Fencing fencing) {
        var soon = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));
        var interval = settings.arrays().interval();
        reconcilers.register(Reconcilers.ARRAY, new Backoff(Duration.ofSeconds(1), interval), arrays::sync);
        reconcilers.register(Reconcilers.CLASS, soon, classes::sync);
        reconcilers.register(Reconcilers.VOLUME, soon, upkeep::volume);
        reconcilers.register(Reconcilers.EXTERNAL_VOLUME, soon, upkeep::externalVolume);
        reconcilers.register(Reconcilers.SNAPSHOT, soon, upkeep::snapshot);
        reconcilers.register(Reconcilers.ATTACHMENT, soon, upkeep::attachment);
        if (settings.fencing().enabled()) {
            reconcilers.register(
                    Reconcilers.NODE,
                    new Backoff(Duration.ofSeconds(1), NODE_LOOK),
                    name -> nodes.find(name).map(fencing::look).orElse(true));
        }
        // A queue, so that an array that does not answer keeps nobody from looking at the others.
        reconcilers.register(Reconcilers.LOGINS, soon, logins::look);
        reconcilers.every(
                interval,
                () -> resources.arrays().all().forEach(array -> {
                    reconcilers.add(Reconcilers.ARRAY, array.getMetadata().getName());
                    reconcilers.add(Reconcilers.LOGINS, array.getMetadata().getName());
                }));
        reconcilers.every(
                LOGIN_LOOK, () -> logins.awaited().forEach(array -> reconcilers.add(Reconcilers.LOGINS, array)));
    }

    /** Everything that happened before this process led is looked at now. */
    private void begin() {
        resources
                .arrays()
                .all()
                .forEach(array -> reconcilers.arrayChanged(array.getMetadata().getName()));
        resources
                .classes()
                .all()
                .forEach(each -> reconcilers.classChanged(each.getMetadata().getName()));
        resources
                .volumes()
                .all()
                .forEach(each -> reconcilers.volumeChanged(each.getMetadata().getName()));
        resources
                .snapshots()
                .all()
                .forEach(each -> reconcilers.snapshotChanged(each.getMetadata().getName()));
        resources
                .attachments()
                .all()
                .forEach(
                        each -> reconcilers.attachmentChanged(each.getMetadata().getName()));
        nodes.all()
                .forEach(node ->
                        reconcilers.add(Reconcilers.NODE, node.getMetadata().getName()));
    }

    @SuppressWarnings("ReferenceEquality") // it is not there yet while this object is being made
    private boolean leads() {
        LeaderElection standing = election;
        return standing != null && standing.leads();
    }

    private static LeaderElection.Settings terms(VscSettings settings) {
        return new LeaderElection.Settings(
                settings.namespace(),
                "stowage-" + settings.driverName().replace('.', '-'),
                identity(),
                Duration.ofSeconds(15),
                Duration.ofSeconds(10),
                Duration.ofSeconds(2),
                Map.of());
    }

    /** Not the host's name alone: two processes on one host are two. */
    private static String identity() {
        String unique = UUID.randomUUID().toString().substring(0, 8);
        try {
            return InetAddress.getLocalHost().getHostName() + "-" + unique;
        } catch (UnknownHostException nameless) {
            return "controller-" + unique;
        }
    }

    @Override
    public Optional<ControllerSide> controller() {
        return Optional.of(side);
    }

    @Override
    public Optional<NodeVolumes> node() {
        return Optional.empty();
    }

    @Override
    public Set<Ability> abilities() {
        return VscAbilities.ALL;
    }

    @Override
    public Optional<String> notReady() {
        return resources.notReady();
    }

    @Override
    public List<Gauge> gauges() {
        return members.gauges();
    }

    @Override
    public Optional<String> standingBy() {
        return leads() ? Optional.empty() : Optional.of("another controller leads, or none has been elected yet");
    }

    @Override
    public void close() {
        reconcilers.close();
        election.close();
        nodes.close();
        resources.close();
        members.close();
        electoral.close();
        client.close();
    }
}
