package dev.stowage.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallersTest {

    @Test
    void everyLaneRunsAsOftenAsAsked() throws Exception {
        var samples = new Samples();
        var ran = Collections.synchronizedList(new ArrayList<String>());

        Callers.run(List.of(() -> ran.add("a"), () -> ran.add("b")), 3, samples);

        assertThat(ran).containsExactlyInAnyOrder("a", "a", "a", "b", "b", "b");
        assertThat(samples.count()).isEqualTo(6);
    }

    @Test
    void aFailureIsCountedAndTheLaneRecovers() throws Exception {
        var samples = new Samples();
        var done = new ArrayList<String>();

        Callers.run(
                List.of(new Lane() {
                    @Override
                    public void run() throws IOException {
                        throw new IOException("volume 7 is gone");
                    }

                    @Override
                    public void recover() {
                        done.add("recovered");
                    }
                }),
                2,
                samples);

        assertThat(samples.outcome().errors())
                .containsExactly(java.util.Map.entry("java.io.IOException: volume N is gone", 2));
        assertThat(done).containsExactly("recovered", "recovered");
    }

    @Test
    void idsOfEitherDriverAreLeftOut() {
        assertThat(Callers.reason(new IOException("vol-89c2ef4202454af4b302beb7bf0e829e: no")))
                .isEqualTo("java.io.IOException: vol-ID: no");
    }

    @Test
    void failuresThatDifferInIdsOnlyAreOne() {
        var one = Status.INTERNAL.withDescription("volume 0a1b2c3d-0000-11ee-8c99-0242ac120002: 5 busy");
        var two = Status.INTERNAL.withDescription("volume ffffffff-1111-11ee-8c99-0242ac120002: 17 busy");

        assertThat(Callers.reason(one.asRuntimeException()))
                .isEqualTo(Callers.reason(two.asRuntimeException()))
                .isEqualTo("INTERNAL: volume ID: N busy");
    }
}
