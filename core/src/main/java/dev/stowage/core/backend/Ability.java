package dev.stowage.core.backend;

import java.util.EnumSet;
import java.util.Set;

/** What a kind of storage can do as a whole, with all processes that serve it. */
public enum Ability {
    CONTROLLER,
    VOLUMES_HAVE_PLACES,
    GROUP_SNAPSHOTS,
    CHANGED_BLOCKS,
    SNAPSHOTS_HAVE_PLACES,
    GROWTH;

    /** What can be seen from one process. */
    static Set<Ability> seenIn(Backend backend) {
        var abilities = EnumSet.noneOf(Ability.class);
        if (backend.node().flatMap(node -> node.info().topology()).isPresent()) {
            abilities.add(VOLUMES_HAVE_PLACES);
        }
        backend.controller().ifPresent(storage -> {
            abilities.add(CONTROLLER);
            addIf(storage.topologyConstrained(), VOLUMES_HAVE_PLACES, abilities);
            addIf(storage.groupSnapshots().isPresent(), GROUP_SNAPSHOTS, abilities);
            addIf(storage.changedBlocks().isPresent(), CHANGED_BLOCKS, abilities);
            addIf(storage.topologyConstrained() && storage.snapshots().isPresent(), SNAPSHOTS_HAVE_PLACES, abilities);
            addIf(storage.expansion().isPresent(), GROWTH, abilities);
        });
        return abilities;
    }

    private static void addIf(boolean there, Ability ability, Set<Ability> abilities) {
        if (there) {
            abilities.add(ability);
        } else {
            abilities.remove(ability);
        }
    }
}
