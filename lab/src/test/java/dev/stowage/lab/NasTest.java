package dev.stowage.lab;

import dev.stowage.lab.guest.NasScenarios;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** NAS volumes on a node, with the kernel's NFS client. */
class NasTest {

    @Test
    void aVolumeIsMountedForManyPodsAndOnlyTakenForItself() throws IOException, InterruptedException {
        Lab.run(NasScenarios.class, "use");
    }

    @Test
    void aServerThatIsAwayStopsNothingButItsOwnVolumes() throws IOException, InterruptedException {
        Lab.run(NasScenarios.class, "trouble");
    }
}
