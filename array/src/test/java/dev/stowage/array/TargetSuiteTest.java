package dev.stowage.array;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.array.testing.ArrayUnderTest;
import dev.stowage.array.testing.BareTarget;
import dev.stowage.array.testing.TargetSuite;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The array's units are as good as those of a bare tgt: nothing is lost by what the array does around it. */
class TargetSuiteTest {

    private static final String IQN = "iqn.2026-01.test:suite";

    @Test
    void whatABareTargetPassesTheArrayPassesToo() throws IOException {
        try (var array = new ArrayUnderTest();
                var bare = new BareTarget(ArrayUnderTest.freePortal(), 100 << 20)) {
            var volume = array.volume("suite", "100M");
            var server = array.server("suite", IQN);
            array.attach(server, volume);
            var url = array.initiator(volume, server, IQN).url();

            var ofBare = CompletableFuture.supplyAsync(() -> TargetSuite.run(bare.url(), IQN));
            var ofArray = TargetSuite.run(url, IQN);

            assertThat(ofBare.join().passed()).as(ofBare.join().output()).isNotEmpty();
            assertThat(ofArray.passed())
                    .as(ofArray.output())
                    .containsAll(ofBare.join().passed());
            assertThat(ofArray.failed()).isSubsetOf(ofBare.join().failed());
        }
    }
}
