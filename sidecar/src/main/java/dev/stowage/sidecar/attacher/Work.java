package dev.stowage.sidecar.attacher;

import dev.stowage.kube.Patches;
import dev.stowage.kube.work.WorkQueue;
import io.fabric8.kubernetes.api.model.storage.VolumeAttachment;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What there is to do about one VolumeAttachment or one PersistentVolume, decided from what is known about it now. */
final class Work implements WorkQueue.Work {

    private static final Logger LOG = LoggerFactory.getLogger(Work.class);
    private static final String ATTACHMENT = "attachment ";
    private static final String VOLUME = "volume ";

    private final Cluster cluster;
    private final AttachmentRecords records;
    private final Optional<Attaching> attaching;
    private final Optional<Detaching> detaching;
    private final Set<String> whateverItSays = ConcurrentHashMap.newKeySet();

    /** Without the two, for a driver that attaches nothing, all that is left is to say so. */
    Work(Cluster cluster, AttachmentRecords records, Optional<Attaching> attaching, Optional<Detaching> detaching) {
        this.cluster = cluster;
        this.records = records;
        this.attaching = attaching;
        this.detaching = detaching;
    }

    static String onAttachment(String name) {
        return ATTACHMENT + name;
    }

    static String onVolume(String name) {
        return VOLUME + name;
    }

    /** The next time, the attachment is brought about even if it says that it is. */
    void distrust(String attachment) {
        whateverItSays.add(attachment);
    }

    /** Everything about one volume is in one lane, as a driver would refuse to do two things with it at once. */
    Optional<String> laneOf(String object) {
        return object.startsWith(ATTACHMENT)
                ? cluster.attachments().find(nameIn(object)).flatMap(cluster::handle)
                : cluster.volumes()
                        .find(nameIn(object))
                        .map(volume -> volume.getSpec().getCsi())
                        .map(source -> source.getVolumeHandle());
    }

    @Override
    public boolean apply(String object) {
        try {
            return object.startsWith(ATTACHMENT) ? applyToAttachment(nameIn(object)) : applyToVolume(nameIn(object));
        } catch (KubernetesClientException failed) {
            if (failed.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                LOG.debug("{} is gone", object);
                return true;
            }
            if (Patches.tooLate(failed)) {
                LOG.debug("{} has changed meanwhile, will look again: {}", object, failed.getMessage());
            } else {
                LOG.warn("{}: the API server did not take a change, will try again: {}", object, failed.getMessage());
            }
            return false;
        }
    }

    private static String nameIn(String object) {
        return object.substring(object.indexOf(' ') + 1);
    }

    private boolean applyToAttachment(String name) {
        boolean distrusted = whateverItSays.remove(name);
        return cluster.attachments()
                .find(name)
                .filter(attachment -> attachment.getSpec().getAttacher().equals(cluster.driver()))
                .map(attachment ->
                        Attachments.isDeleted(attachment) ? detach(attachment) : attach(attachment, distrusted))
                .orElse(true);
    }

    private boolean attach(VolumeAttachment attachment, boolean distrusted) {
        if (Attachments.isAttached(attachment) && !distrusted) {
            return true;
        }
        if (attaching.isPresent()) {
            return attaching.get().attach(attachment);
        }
        records.attached(attachment, Map.of());
        return true;
    }

    private boolean detach(VolumeAttachment attachment) {
        if (detaching.isPresent()) {
            return detaching.get().detach(attachment);
        }
        // Of a time when the driver still attached volumes. It does not any more, so that nothing is attached.
        if (records.isOurs(attachment)) {
            records.detached(attachment);
        }
        return true;
    }

    /** A PersistentVolume that is being deleted may go when no attachment needs it to be detached. */
    private boolean applyToVolume(String name) {
        cluster.volumes()
                .find(name)
                .filter(volume -> volume.getMetadata().getDeletionTimestamp() != null)
                .filter(records::isOurs)
                .filter(volume ->
                        cluster.attachments().by(Cluster.BY_VOLUME, name).isEmpty())
                .ifPresent(records::letGo);
        return true;
    }
}
