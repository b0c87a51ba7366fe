package dev.stowage.sidecar.attacher;

import csi.v1.VolumeCapability.AccessMode.Mode;
import dev.stowage.core.error.StowageException;
import java.util.List;
import java.util.Set;

/** Kubernetes' access modes as CSI has them. */
final class AccessModes {

    private static final String ONE_POD = "ReadWriteOncePod";
    private static final String ONE_NODE = "ReadWriteOnce";
    private static final String READERS = "ReadOnlyMany";
    private static final String ALL = "ReadWriteMany";

    private AccessModes() {}

    /**
     * The one CSI mode for what a PersistentVolume allows.
     *
     * @param distinguishesWriters whether the driver knows the difference between one pod and several on a node
     */
    static Mode toCsi(List<String> modes, boolean distinguishesWriters) {
        var wanted = Set.copyOf(modes);
        if (wanted.contains(ONE_POD)) {
            if (wanted.size() > 1) {
                throw StowageException.invalid("access modes %s: %s excludes every other", modes, ONE_POD);
            }
            return distinguishesWriters ? Mode.SINGLE_NODE_SINGLE_WRITER : Mode.SINGLE_NODE_WRITER;
        }
        if (wanted.contains(ALL)) {
            return Mode.MULTI_NODE_MULTI_WRITER;
        }
        if (wanted.contains(READERS) && wanted.contains(ONE_NODE)) {
            throw StowageException.invalid("access modes %s: CSI has no mode for both at once", modes);
        }
        if (wanted.contains(READERS)) {
            return Mode.MULTI_NODE_READER_ONLY;
        }
        if (wanted.contains(ONE_NODE)) {
            return distinguishesWriters ? Mode.SINGLE_NODE_MULTI_WRITER : Mode.SINGLE_NODE_WRITER;
        }
        throw StowageException.invalid("access modes %s: none of them is known", modes);
    }
}
