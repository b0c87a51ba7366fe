package dev.stowage.backend.local.volume;

import dev.stowage.backend.local.pool.PoolSpace;
import dev.stowage.core.backend.Capacity;
import dev.stowage.core.volume.Topology;
import dev.stowage.core.volume.VolumeUse;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How much a new volume could have, for these parameters: a thick one needs the blocks, a thin one the promise. */
public final class LocalCapacity implements Capacity {

    private final PoolSpace space;
    private final Topology here;

    public LocalCapacity(PoolSpace space, Topology here) {
        this.space = space;
        this.here = here;
    }

    @Override
    public Answer available(List<VolumeUse> uses, Map<String, String> parameters, Optional<Topology> place) {
        return answer(uses, parameters, place, here, space::available);
    }

    /** What a pool could give. */
    public interface Room {
        long available(boolean thick);
    }

    /** The answer for a pool that is somewhere; the same whether the pool is here or only known about. */
    public static Answer answer(
            List<VolumeUse> uses,
            Map<String, String> parameters,
            Optional<Topology> place,
            Topology poolPlace,
            Room room) {
        var parsed = VolumeParameters.parse(parameters, Map.of());
        long smallest = parsed.smallestSize(uses);
        boolean impossible = uses.stream().anyMatch(use -> use.mode().severalNodes());
        if (impossible || (place.isPresent() && !place.get().within(poolPlace))) {
            return new Answer(0, smallest, 0);
        }
        long available = room.available(parsed.thick());
        return new Answer(available, smallest, Math.min(available, VolumeRules.LARGEST));
    }
}
