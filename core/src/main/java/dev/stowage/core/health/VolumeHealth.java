package dev.stowage.core.health;

import dev.stowage.core.id.VolumeId;
import java.util.List;

/** What is wrong with a volume; nothing when the list is empty. */
public record VolumeHealth(VolumeId volume, List<HealthIssue> issues) {

    public VolumeHealth {
        issues = List.copyOf(issues);
    }
}
