package dev.stowage.backend.vsc.central.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AllocatorTest {

    private static final long TIB = 1L << 40;

    /** Half full, few volumes, the first. */
    private static final Candidate OLD = new Candidate("old", 10 * TIB, 5 * TIB, 6 * TIB, 10, "2026-01-01T00:00:00Z");
    /** Small and empty, but for many tiny volumes. */
    private static final Candidate CROWDED =
            new Candidate("crowded", 2 * TIB, 2 * TIB, TIB / 10, 900, "2026-02-01T00:00:00Z");
    /** Large, and has promised more than it has. */
    private static final Candidate PROMISED =
            new Candidate("promised", 20 * TIB, 18 * TIB, 30 * TIB, 300, "2026-03-01T00:00:00Z");
    /** Middling in everything, and best in sum. */
    private static final Candidate BALANCED =
            new Candidate("balanced", 10 * TIB, 8 * TIB, 3 * TIB, 40, "2026-04-01T00:00:00Z");

    private static String choice(Allocator allocator) {
        return allocator
                .choose(List.of(PROMISED, CROWDED, BALANCED, OLD))
                .orElseThrow()
                .array();
    }

    @Test
    void weightedTakesTheLeastOfVolumesAllocatedAndPromised() {
        assertThat(choice(Allocator.weighted)).isEqualTo("balanced");
    }

    @Test
    void mostAvailableCapacityTakesTheOneWithMostRoomWhateverItHasPromised() {
        assertThat(choice(Allocator.mostAvailableCapacity)).isEqualTo("promised");
    }

    @Test
    void evenTakesTheOneWithFewestVolumes() {
        assertThat(choice(Allocator.even)).isEqualTo("old");
    }

    @Test
    void linearTakesTheOneThatWasAddedFirst() {
        assertThat(choice(Allocator.linear)).isEqualTo("old");
        assertThat(Allocator.linear
                        .choose(List.of(PROMISED, BALANCED))
                        .orElseThrow()
                        .array())
                .isEqualTo("promised");
    }

    @Test
    void equalsAreToldApartByNameWhateverTheirOrder() {
        var one = new Candidate("a", TIB, TIB, 0, 0, "2026-01-01T00:00:00Z");
        var two = new Candidate("b", TIB, TIB, 0, 0, "2026-01-01T00:00:00Z");
        for (var allocator : Allocator.values()) {
            assertThat(allocator.choose(List.of(two, one))).hasValue(one);
            assertThat(allocator.choose(List.of(one, two))).hasValue(one);
        }
    }

    @Test
    void ofNoneThereIsNoBest() {
        assertThat(Allocator.weighted.choose(List.of())).isEmpty();
    }
}
