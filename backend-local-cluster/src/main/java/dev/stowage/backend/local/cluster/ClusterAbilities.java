package dev.stowage.backend.local.cluster;

import dev.stowage.core.backend.Ability;
import java.util.EnumSet;
import java.util.Set;

/** What the local backend can do in a cluster; the controller and every node say the same. */
public final class ClusterAbilities {

    /** Changed blocks are read where the data is, and the controller is elsewhere. */
    public static final Set<Ability> ALL = Set.copyOf(EnumSet.complementOf(EnumSet.of(Ability.CHANGED_BLOCKS)));

    private ClusterAbilities() {}
}
