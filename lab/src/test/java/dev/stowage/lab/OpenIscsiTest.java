package dev.stowage.lab;

import dev.stowage.lab.guest.Scenarios;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The kernel's initiator against the kernel's target, with a storage network whose links can be cut. */
class OpenIscsiTest {

    @Test
    void secretsAreChecked() throws IOException, InterruptedException {
        Lab.run(Scenarios.class, "secrets");
    }

    @Test
    void unitsOfOneTargetShareASessionThatEndsWithTheLast() throws IOException, InterruptedException {
        Lab.run(Scenarios.class, "shared-session");
    }

    @Test
    void writesGoOnWhenOneOfTwoPortalsIsCut() throws IOException, InterruptedException {
        Lab.run(Scenarios.class, "cut-portal");
    }

    @Test
    void aNumberThatAnotherUnitHasNowIsNotTakenForTheFormer() throws IOException, InterruptedException {
        Lab.run(Scenarios.class, "number-reuse");
    }

    @Test
    void aUnitGrowsInUseAlsoByMultipath() throws IOException, InterruptedException {
        Lab.run(Scenarios.class, "growth");
    }

    @Test
    void aLostTargetGivesErrorsAndCanBeDetachedAndComesBack() throws IOException, InterruptedException {
        Lab.run(Scenarios.class, "lost-target");
    }

    @Test
    void aSessionEndsAlsoWhenItsDeviceHasVanished() throws IOException, InterruptedException {
        Lab.run(Scenarios.class, "vanished-device");
    }
}
