package dev.stowage.sidecar.attacher;

import dev.stowage.kube.Patches;
import dev.stowage.kube.Patches.Steps;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.storage.VolumeAttachment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What is written to VolumeAttachments and PersistentVolumes. Each change names what it changes, so that others' changes stay. */
final class AttachmentRecords {

    private static final String FINALIZERS = "/metadata/finalizers";

    private final Patches patches;
    private final String finalizer;
    private final boolean tellsCodes;

    /** @param tellsCodes whether gRPC codes are shown beside messages */
    AttachmentRecords(KubernetesClient client, String finalizer, boolean tellsCodes) {
        this.patches = new Patches(client);
        this.finalizer = finalizer;
        this.tellsCodes = tellsCodes;
    }

    boolean isOurs(HasMetadata object) {
        return finalizersOf(object).contains(finalizer);
    }

    /** Puts on record what is about to be attached where; nothing is written when it is there already. */
    VolumeAttachment intent(VolumeAttachment attachment, Map<String, String> annotations) {
        var before = annotationsOf(attachment);
        boolean told = annotations.entrySet().stream()
                .allMatch(entry -> entry.getValue().equals(before.get(entry.getKey())));
        if (told && isOurs(attachment)) {
            return attachment;
        }
        var after = new HashMap<>(before);
        after.putAll(annotations);
        // An annotation that somebody else added meanwhile must not be lost.
        var steps = Steps.of(attachment)
                .test("/metadata/resourceVersion", attachment.getMetadata().getResourceVersion())
                .add("/metadata/annotations", after);
        addFinalizer(attachment, steps);
        return patches.apply(attachment, steps);
    }

    void attached(VolumeAttachment attachment, Map<String, String> metadata) {
        writeStatus(attachment, true, metadata, Map.of());
    }

    /** @param attached whether it may still be said to be attached, as it was before */
    void attachFailed(VolumeAttachment attachment, Failure failure, boolean attached) {
        writeStatus(
                attachment,
                attached,
                attached ? metadataOf(attachment) : Map.of(),
                Map.of("attachError", error(failure)));
    }

    void detachFailed(VolumeAttachment attachment, Failure failure) {
        writeStatus(
                attachment,
                Attachments.isAttached(attachment),
                metadataOf(attachment),
                Map.of("detachError", error(failure)));
    }

    /**
     * Lets go of an attachment whose volume is detached.
     *
     * <p>The finalizer goes first: with it, an attachment that is not attached may be one whose attaching timed out, and would be
     * detached once more.
     */
    void detached(VolumeAttachment attachment) {
        removeFinalizer(attachment);
        try {
            writeStatus(attachment, false, Map.of(), Map.of());
        } catch (KubernetesClientException gone) {
            if (gone.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw gone;
            }
        }
    }

    void keep(PersistentVolume volume) {
        if (!isOurs(volume)) {
            // Seen late, the list may be longer by now: it would be replaced by a shorter one, or have the same
            // finalizer twice.
            var steps = Steps.of(volume)
                    .test("/metadata/resourceVersion", volume.getMetadata().getResourceVersion());
            addFinalizer(volume, steps);
            patches.apply(volume, steps);
        }
    }

    void letGo(PersistentVolume volume) {
        removeFinalizer(volume);
    }

    private void addFinalizer(HasMetadata object, Steps steps) {
        var present = finalizersOf(object);
        if (present.isEmpty()) {
            steps.add(FINALIZERS, List.of(finalizer));
        } else if (!present.contains(finalizer)) {
            steps.add(FINALIZERS + "/-", finalizer);
        }
    }

    private void removeFinalizer(HasMetadata object) {
        int place = finalizersOf(object).indexOf(finalizer);
        if (place >= 0) {
            String path = FINALIZERS + "/" + place;
            patches.apply(object, Steps.of(object).test(path, finalizer).remove(path));
        }
    }

    private void writeStatus(
            VolumeAttachment attachment, boolean attached, Map<String, String> metadata, Map<String, Object> error) {
        var status = new LinkedHashMap<String, Object>();
        status.put("attached", attached);
        if (!metadata.isEmpty()) {
            status.put("attachmentMetadata", metadata);
        }
        status.putAll(error);
        patches.applyToStatus(attachment, Steps.of(attachment).add("/status", status));
    }

    private Map<String, Object> error(Failure failure) {
        var error = new LinkedHashMap<String, Object>();
        error.put("time", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        error.put("message", failure.message());
        if (tellsCodes && failure.code().isPresent()) {
            error.put("errorCode", failure.code().getAsInt());
        }
        return error;
    }

    private static List<String> finalizersOf(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getFinalizers(), List.of());
    }

    static Map<String, String> annotationsOf(HasMetadata object) {
        return Objects.requireNonNullElse(object.getMetadata().getAnnotations(), Map.of());
    }

    private static Map<String, String> metadataOf(VolumeAttachment attachment) {
        var status = attachment.getStatus();
        return status == null ? Map.of() : Objects.requireNonNullElse(status.getAttachmentMetadata(), Map.of());
    }
}
