package dev.stowage.manager.beside;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of a pod that is not of use. */
class PodTroublesTest {

    private static Optional<String> of(String status) {
        return PodTroubles.of(new KubernetesSerialization().unmarshal("status: " + status, Pod.class));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{containerStatuses: [{name: a, ready: true}, {name: b, ready: false}]}" + " | b: not ready",
                "{containerStatuses: [{name: b, ready: false, state: {waiting: {reason: ImagePullBackOff, message: for 5s}}}]}"
                        + " | b: ImagePullBackOff",
                "{containerStatuses: [{name: b, ready: false, state: {waiting: {reason: CrashLoopBackOff}},"
                        + " lastState: {terminated: {reason: Error, exitCode: 3}}}]}"
                        + " | b: CrashLoopBackOff, before: Error with exit code 3",
                "{containerStatuses: [{name: b, ready: false, state: {terminated: {reason: OOMKilled, exitCode: 137}}}]}"
                        + " | b: OOMKilled with exit code 137",
                "{initContainerStatuses: [{name: first, ready: false, state: {waiting: {reason: ErrImagePull}}}],"
                        + " containerStatuses: [{name: b, ready: false, state: {waiting: {reason: PodInitializing}}}]}"
                        + " | first: ErrImagePull",
                "{conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: 0/3 nodes}]}"
                        + " | there is no place for it: 0/3 nodes",
                "{phase: Failed, reason: Evicted, message: disk pressure} | Evicted",
                "{conditions: [{type: Ready, status: 'False', reason: ReadinessGatesNotReady, message: gate x is not}],"
                        + " containerStatuses: [{name: b, ready: true}]} | gate x is not",
            })
    void theCauseIsToldInTheWordsOfKubernetes(String status, String told) {
        assertThat(of(status)).contains(told);
    }

    @Test
    void ofOneThatIsWellOrOfWhichNothingIsKnownThereIsNothingToTell() {
        assertThat(of("{conditions: [{type: Ready, status: 'True'}], containerStatuses: [{name: b, ready: true}]}"))
                .isEmpty();
        assertThat(of("{}")).isEmpty();
        assertThat(PodTroubles.of(new Pod())).isEmpty();
    }
}
