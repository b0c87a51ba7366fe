package dev.stowage.backend.vsc.central.volume;

import dev.stowage.arrayapi.ArrayException;
import dev.stowage.backend.vsc.central.member.Members;
import dev.stowage.backend.vsc.central.resource.Kind;
import dev.stowage.backend.vsc.central.resource.Resources;
import dev.stowage.kube.vsc.VscVolume;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Arrays that were asked to make a volume, did not answer, and were given up for another.
 *
 * <p>They may have made it, or make it yet. Each is on record with the volume until it was seen, after every request to it must have
 * ended, that it has nothing of it, or what it had was taken away.
 */
public final class Abandoned {

    private static final Logger LOG = LoggerFactory.getLogger(Abandoned.class);
    private static final String ANNOTATION = "storage.stowage.dev/abandoned-arrays";

    private final Resources resources;
    private final Members members;
    private final Duration settled;
    private final InstantSource clock;

    /** @param settled after how long a request to an array must have ended */
    public Abandoned(Resources resources, Members members, Duration settled, InstantSource clock) {
        this.resources = resources;
        this.members = members;
        this.settled = settled;
        this.clock = clock;
    }

    /** Whether an array was given up for another, and may still have a part of the volume. */
    public static boolean any(VscVolume volume) {
        return Kind.annotation(volume, ANNOTATION).isPresent();
    }

    VscVolume note(VscVolume volume, String array) {
        var arrays = arrays(volume);
        arrays.put(array, clock.instant().getEpochSecond());
        return write(volume, arrays);
    }

    /** Takes away what given up arrays have of the volume, as far as that can be told now. */
    VscVolume sweep(VscVolume volume) {
        var arrays = arrays(volume);
        boolean changed =
                arrays.entrySet().removeIf(entry -> settledAt(entry.getValue()) && gone(volume, entry.getKey()));
        return changed ? write(volume, arrays) : volume;
    }

    private boolean settledAt(long asked) {
        return !clock.instant().isBefore(Instant.ofEpochSecond(asked).plus(settled));
    }

    /** Nothing was ever written to it, because nobody was told that it is there. */
    private boolean gone(VscVolume volume, String array) {
        if (resources.arrays().find(array).isEmpty()) {
            return true;
        }
        var member = members.find(array);
        if (member.isEmpty()) {
            return false;
        }
        try {
            var client = member.get().client();
            var there = client.volumeNamed(volume.getSpec().displayName())
                    .filter(found -> !array.equals(volume.getStatus().vpsaId())
                            || !found.id().equals(volume.getStatus().id()));
            there.ifPresent(found -> {
                LOG.info(
                        "volume {}: array {} had made {} after all; it is deleted",
                        VolumeKeeper.name(volume),
                        array,
                        found.id());
                client.deleteVolume(found.id());
                client.purgeVolume(found.id());
            });
            return true;
        } catch (ArrayException notNow) {
            LOG.debug("volume {}: array {} cannot tell yet", VolumeKeeper.name(volume), array, notNow);
            return false;
        }
    }

    private static Map<String, Long> arrays(VscVolume volume) {
        var arrays = new TreeMap<String, Long>();
        Kind.annotation(volume, ANNOTATION).ifPresent(text -> {
            for (String each : text.split(",", -1)) {
                int at = each.lastIndexOf('@');
                arrays.put(each.substring(0, at), Long.parseLong(each.substring(at + 1)));
            }
        });
        return arrays;
    }

    private VscVolume write(VscVolume volume, Map<String, Long> arrays) {
        String text = arrays.entrySet().stream()
                .map(entry -> entry.getKey() + "@" + entry.getValue())
                .collect(Collectors.joining(","));
        return resources.volumes().annotate(volume, ANNOTATION, text.isEmpty() ? null : text);
    }
}
