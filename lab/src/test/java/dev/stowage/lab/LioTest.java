package dev.stowage.lab;

import dev.stowage.lab.guest.LioScenarios;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** An array whose units the kernel serves. */
class LioTest {

    @Test
    void theKernelServesVolumesAndGoesOnWithoutTheArray() throws IOException, InterruptedException {
        Lab.run(LioScenarios.class, "serve");
    }

    @Test
    void aServerThatIsFencedWritesNothingAfterTheConfirmation() throws IOException, InterruptedException {
        Lab.run(LioScenarios.class, "fence");
    }
}
