package dev.stowage.backend.local.volume;

import dev.stowage.backend.local.pool.Pool;
import dev.stowage.backend.local.pool.PoolRecords;
import dev.stowage.backend.local.pool.PoolSpace;
import dev.stowage.backend.local.record.LifeState;
import dev.stowage.backend.local.record.VolumeRecord;
import dev.stowage.core.backend.Health;
import dev.stowage.core.health.HealthIssue;
import dev.stowage.core.health.VolumeHealth;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.page.Page;
import dev.stowage.core.page.PageRequest;
import dev.stowage.core.page.Paging;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * What is wrong with volumes, seen from the pool and, when this process is also the node's driver, from where they are mounted. Looked
 * up each time, so that it heals with its cause.
 */
public final class LocalHealth implements Health {

    private final PoolRecords records;
    private final VolumeCheck check;
    private final NodeView node;

    /** What the node sees of a volume; nothing when it is not in use there. */
    public interface NodeView {
        List<HealthIssue> issues(VolumeId volume);
    }

    public LocalHealth(Pool pool, PoolRecords records, PoolSpace space, NodeView node) {
        this.records = records;
        this.check = new VolumeCheck(pool, space);
        this.node = node;
    }

    @Override
    public VolumeHealth of(VolumeId volume) {
        return health(LocalVolumes.require(records, volume), check.pool());
    }

    @Override
    public Page<VolumeHealth> ailing(PageRequest page) {
        var poolIssues = check.pool();
        return Paging.of(
                        records.volumes(),
                        page,
                        VolumeId::new,
                        record -> record.getState() == LifeState.READY
                                && !health(record, poolIssues).issues().isEmpty())
                .map(record -> health(record, poolIssues));
    }

    private VolumeHealth health(VolumeRecord record, List<HealthIssue> poolIssues) {
        var id = new VolumeId(record.getId());
        // Reading every idle volume for a listing would be a load of its own; those in use are worth it.
        boolean read = record.getAttachmentsCount() > 0;
        var issues = new LinkedHashMap<String, HealthIssue>();
        check.volume(id, record.getSizeBytes(), read, poolIssues).forEach(issue -> issues.put(issue.reason(), issue));
        node.issues(id).forEach(issue -> issues.putIfAbsent(issue.reason(), issue));
        return new VolumeHealth(id, List.copyOf(issues.values()));
    }
}
