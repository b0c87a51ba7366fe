package dev.stowage.backend.vsc;

import dev.stowage.core.backend.Ability;
import java.util.Set;

/** What arrays can do, whichever side of the driver is asked. */
public final class VscAbilities {

    public static final Set<Ability> ALL = Set.of(Ability.CONTROLLER, Ability.GROWTH);

    private VscAbilities() {}
}
