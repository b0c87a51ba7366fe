package dev.stowage.lab;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The kernel's initiator against the kernel's target, with a storage network whose links can be cut. */
class OpenIscsiTest {

    @Test
    void secretsAreChecked() throws IOException, InterruptedException {
        Lab.run("secrets");
    }

    @Test
    void unitsOfOneTargetShareASessionThatEndsWithTheLast() throws IOException, InterruptedException {
        Lab.run("shared-session");
    }

    @Test
    void writesGoOnWhenOneOfTwoPortalsIsCut() throws IOException, InterruptedException {
        Lab.run("cut-portal");
    }

    @Test
    void aNumberThatAnotherUnitHasNowIsNotTakenForTheFormer() throws IOException, InterruptedException {
        Lab.run("number-reuse");
    }

    @Test
    void aUnitGrowsInUseAlsoByMultipath() throws IOException, InterruptedException {
        Lab.run("growth");
    }

    @Test
    void aLostTargetGivesErrorsAndCanBeDetachedAndComesBack() throws IOException, InterruptedException {
        Lab.run("lost-target");
    }

    @Test
    void aSessionEndsAlsoWhenItsDeviceHasVanished() throws IOException, InterruptedException {
        Lab.run("vanished-device");
    }
}
