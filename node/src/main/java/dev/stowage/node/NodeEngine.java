package dev.stowage.node;

import dev.stowage.core.backend.NodeVolumes;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.health.StorageIssue;
import dev.stowage.core.health.VolumeHealth;
import dev.stowage.core.id.TargetPath;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.volume.SizeRange;
import dev.stowage.core.volume.VolumeUse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a node does with volumes, whatever storage brings their devices.
 *
 * <p>Before anything is done it is on record; what is on record is believed only as far as the kernel agrees. So every call can be
 * repeated after a crash at any point, with the same result.
 */
public final class NodeEngine implements NodeVolumes {

    /** In the context of an attachment: the volume may only be read. */
    public static final String READ_ONLY = "readOnly";

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final NodeInfo info;
    private final Devices devices;
    private final NodeRecords records;
    private final StagedVolumes stagedVolumes;
    private final Publications publications;
    private final EphemeralPublications ephemeral;
    private final Places places;
    private final NodeHealth health;
    private final Bounded<Place, Usage> usages;
    private final Recovery recovery;

    public NodeEngine(NodeInfo info, Devices devices, Optional<EphemeralVolumes> ephemeral, NodeRecords records) {
        this(info, devices, ephemeral, records, PATIENCE);
    }

    NodeEngine(
            NodeInfo info,
            Devices devices,
            Optional<EphemeralVolumes> ephemeralVolumes,
            NodeRecords records,
            Duration patience) {
        var growth = new Growth(records);
        var mounter = new FilesystemMounter(
                devices, records, new FormatGate(devices, records), growth, new NfsMounts(info.id()));
        this.info = info;
        this.devices = devices;
        this.records = records;
        this.stagedVolumes = new StagedVolumes(devices, records, mounter);
        this.publications = new Publications(devices, records, stagedVolumes);
        this.ephemeral = new EphemeralPublications(ephemeralVolumes, devices, records, mounter);
        this.places = new Places(devices, records, stagedVolumes, growth);
        this.health = new NodeHealth(devices, records, patience);
        this.usages = new Bounded<>(patience);
        this.recovery = new Recovery(devices, records, ephemeral);
    }

    /** To be called once, before the first volume is served. */
    public void recover() {
        recovery.run();
    }

    /** Every volume of which something is remembered here, so that what was deleted elsewhere can be forgotten. */
    public Set<VolumeId> remembered() {
        return records.volumes();
    }

    /** Forgets the filesystem of a volume that was deleted. What is still staged or published stays on record. */
    public void forget(VolumeId volume) {
        if (records.filesystem(volume).isPresent()) {
            records.edit(volume).dropFilesystem().commit();
        }
    }

    @Override
    public NodeInfo info() {
        return info;
    }

    @Override
    public void stage(Stage stage) {
        Failures.translated(
                "staging volume " + stage.volume() + " at " + stage.stagingPath(),
                () -> stagedVolumes.stage(asAttached(stage)));
    }

    /** What was attached for reading only is used for reading only, whatever the node is asked for. */
    private static Stage asAttached(Stage stage) {
        return attachedReadOnly(stage.publishContext())
                ? new Stage(
                        stage.volume(),
                        stage.stagingPath(),
                        new VolumeUse(stage.use().access(), stage.use().mode().forReading()),
                        stage.publishContext(),
                        stage.volumeContext())
                : stage;
    }

    private static Publish asAttached(Publish publish) {
        return attachedReadOnly(publish.publishContext())
                ? new Publish(
                        publish.volume(),
                        publish.stagingPath(),
                        publish.targetPath(),
                        new VolumeUse(
                                publish.use().access(), publish.use().mode().forReading()),
                        true,
                        publish.publishContext(),
                        publish.volumeContext())
                : publish;
    }

    private static boolean attachedReadOnly(Map<String, String> publishContext) {
        return "true".equals(publishContext.get(READ_ONLY));
    }

    @Override
    public void unstage(VolumeId volume, TargetPath stagingPath) {
        Failures.translated(
                "unstaging volume " + volume + " from " + stagingPath,
                () -> stagedVolumes.unstage(volume, stagingPath));
    }

    @Override
    public void publish(Publish publish) {
        Failures.translated("publishing volume " + publish.volume() + " at " + publish.targetPath(), () -> {
            if (EphemeralPublications.wanted(publish)) {
                ephemeral.publish(publish);
            } else {
                publications.publish(asAttached(publish));
            }
        });
    }

    @Override
    public void unpublish(VolumeId volume, TargetPath targetPath) {
        Failures.translated("unpublishing volume " + volume + " from " + targetPath, () -> {
            var record = records.publication(volume, targetPath);
            if (record.isPresent() && record.get().getEphemeral()) {
                ephemeral.unpublish(volume, record.get());
            } else {
                publications.unpublish(volume, targetPath);
                ephemeral.removeUnrecorded(volume);
            }
        });
    }

    @Override
    public Usage usage(Place place) {
        return Failures.translated(
                "measuring volume " + place.volume(),
                () -> usages.look(place, () -> places.usage(place))
                        .orElseThrow(() -> StowageException.unavailable(
                                "volume %s does not answer on this node; the storage below it may hang",
                                place.volume())));
    }

    @Override
    public long expand(Place place, SizeRange size, Optional<VolumeUse> use) {
        return Failures.translated("expanding volume " + place.volume(), () -> places.expand(place, size));
    }

    @Override
    public VolumeHealth health(Place place) {
        return Failures.translated("looking at volume " + place.volume(), () -> health.of(place));
    }

    @Override
    public List<StorageIssue> storageHealth() {
        return Failures.translated("looking at the storage", devices::storageHealth);
    }
}
