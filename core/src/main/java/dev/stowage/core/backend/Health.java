package dev.stowage.core.backend;

import dev.stowage.core.health.VolumeHealth;
import dev.stowage.core.id.VolumeId;
import dev.stowage.core.page.Page;
import dev.stowage.core.page.PageRequest;

/** What is wrong with volumes, seen from the storage. */
public interface Health {

    VolumeHealth of(VolumeId volume);

    /** The volumes that have something wrong, and only those. */
    Page<VolumeHealth> ailing(PageRequest page);
}
