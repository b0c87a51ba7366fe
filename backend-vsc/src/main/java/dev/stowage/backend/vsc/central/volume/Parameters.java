package dev.stowage.backend.vsc.central.volume;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.volume.VolumeUse;
import dev.stowage.kube.vsc.VolumeType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a StorageClass.
 *
 * @param className the VSCStorageClass, or nothing for the default
 * @param options further fields of the call by which the array makes a volume
 * @param purge whether deleted volumes are not to be kept in the array's recycle bin
 */
record Parameters(Optional<String> className, VolumeType type, Map<String, String> options, boolean purge) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CLASS = "VSCStorageClassName";
    private static final String OPTIONS = "volumeOptions";
    private static final String TYPE = "volumeType";
    private static final String RECYCLE_BIN = "recycleBin";
    private static final Set<String> KNOWN = Set.of(CLASS, OPTIONS, TYPE, RECYCLE_BIN);
    /** What the sidecars add about claims and persistent volumes. */
    static final String OF_KUBERNETES = "csi.storage.k8s.io/";

    /** What the driver decides itself. */
    private static final Set<String> TAKEN =
            Set.of("name", "capacity", "pool", "block", "attachpolicies", "nfsrootsquash");

    static Parameters parse(Map<String, String> parameters, List<VolumeUse> uses) {
        parameters.keySet().stream()
                .filter(key -> !KNOWN.contains(key) && !key.startsWith(OF_KUBERNETES))
                .findFirst()
                .ifPresent(unknown -> {
                    throw StowageException.invalid(
                            "parameter %s is not known; there are %s",
                            unknown, String.join(", ", List.of(CLASS, TYPE, OPTIONS, RECYCLE_BIN)));
                });
        return new Parameters(
                Optional.ofNullable(parameters.get(CLASS)).filter(name -> !name.isBlank()),
                type(parameters.get(TYPE), uses),
                options(parameters.getOrDefault(OPTIONS, "")),
                purge(parameters.getOrDefault(RECYCLE_BIN, "keep")));
    }

    /** A raw device is a block volume; a filesystem is the array's own, unless the class wants one on a device. */
    private static VolumeType type(@Nullable String wanted, List<VolumeUse> uses) {
        boolean raw = uses.stream().anyMatch(VolumeUse::block);
        if (wanted == null || wanted.isBlank()) {
            return raw ? VolumeType.BLOCK : VolumeType.NAS;
        }
        var type = switch (wanted) {
            case "Block" -> VolumeType.BLOCK;
            case "NAS" -> VolumeType.NAS;
            default -> throw StowageException.invalid("parameter %s is '%s'; it can be Block or NAS", TYPE, wanted);
        };
        if (raw && type == VolumeType.NAS) {
            throw StowageException.invalid(
                    "parameter %s is NAS, but a raw device is wanted; leave it out or set it to Block", TYPE);
        }
        return type;
    }

    private static boolean purge(String text) {
        return switch (text) {
            case "purge" -> true;
            case "keep" -> false;
            default ->
                throw StowageException.invalid("parameter %s is '%s'; it can be keep or purge", RECYCLE_BIN, text);
        };
    }

    private static Map<String, String> options(String text) {
        var options = new TreeMap<String, String>();
        if (text.isBlank()) {
            return options;
        }
        try {
            var node = JSON.readTree(text);
            if (!node.isObject()
                    || node.propertyStream().anyMatch(entry -> !entry.getValue().isValueNode())) {
                throw StowageException.invalid("parameter %s: expected a JSON object of texts and numbers", OPTIONS);
            }
            node.propertyStream().forEach(entry -> options.put(entry.getKey(), text(entry.getValue())));
        } catch (JsonProcessingException malformed) {
            throw StowageException.invalid("parameter %s is not JSON: %s", OPTIONS, malformed.getOriginalMessage());
        }
        options.keySet().stream().filter(TAKEN::contains).findFirst().ifPresent(taken -> {
            throw StowageException.invalid("parameter %s: %s is decided by the driver; leave it out", OPTIONS, taken);
        });
        return options;
    }

    private static String text(JsonNode value) {
        return value.isBoolean() ? (value.asBoolean() ? "YES" : "NO") : value.asText();
    }
}
