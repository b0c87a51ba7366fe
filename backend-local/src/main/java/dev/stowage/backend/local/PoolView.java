package dev.stowage.backend.local;

import dev.stowage.backend.local.pool.PoolSpace;
import dev.stowage.core.id.GroupSnapshotId;
import dev.stowage.core.id.RequestName;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.id.VolumeId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a pool's records say that no CSI call asks for, for those who fulfil somebody else's orders with it. */
public interface PoolView {

    /** What was made under the name, or is half made or half gone. */
    Optional<VolumeId> volumeNamed(RequestName name);

    Optional<SnapshotId> snapshotNamed(RequestName name);

    Optional<GroupSnapshotId> groupNamed(RequestName name);

    /** The present values of a volume's mutable parameters; none when it does not exist. */
    Map<String, String> mutableParameters(VolumeId volume);

    Set<GroupSnapshotId> groups();

    PoolSpace.State space();

    /** The largest volume that could be made now. */
    long available(boolean thick);
}
