package dev.stowage.manager;

import dev.stowage.manager.apply.Adoption;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is left of something that is removed.
 *
 * @param gone whether nothing is
 * @param inTheWay why some of it does not go, unless that only takes its time
 */
record Remains(boolean gone, List<String> inTheWay) {

    Remains and(Remains other) {
        return new Remains(
                gone && other.gone,
                Stream.concat(inTheWay.stream(), other.inTheWay.stream()).toList());
    }

    /** Why an object does not go; nothing if nobody has asked it to yet. */
    static Stream<String> held(HasMetadata object) {
        var metadata = object.getMetadata();
        return metadata.getDeletionTimestamp() == null
                ? Stream.empty()
                : Stream.of("%s is deleted and held by finalizers (%s); it goes when those who set them take them off"
                        .formatted(Adoption.named(object), String.join(", ", metadata.getFinalizers())));
    }
}
