package dev.stowage.driver.call;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.DeleteVolumeRequest;
import dev.stowage.core.error.StowageException;
import dev.stowage.driver.log.LogLevel;
import dev.stowage.driver.testing.TestingDriver;
import dev.stowage.driver.testing.TestingLog;
import io.grpc.Status.Code;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class GrpcCodesTest {

    static Stream<Arguments> table() {
        return Stream.of(
                Arguments.of(StowageException.invalid("x"), Code.INVALID_ARGUMENT),
                Arguments.of(StowageException.notFound("x"), Code.NOT_FOUND),
                Arguments.of(StowageException.alreadyExists("x"), Code.ALREADY_EXISTS),
                Arguments.of(StowageException.busy("x"), Code.ABORTED),
                Arguments.of(StowageException.notPossible("x"), Code.FAILED_PRECONDITION),
                Arguments.of(StowageException.exhausted("x"), Code.RESOURCE_EXHAUSTED),
                Arguments.of(StowageException.outOfRange("x"), Code.OUT_OF_RANGE),
                Arguments.of(StowageException.unavailable("x"), Code.UNAVAILABLE),
                Arguments.of(StowageException.internal("x"), Code.INTERNAL));
    }

    @ParameterizedTest
    @MethodSource("table")
    void aFailureReachesTheCallerWithItsCodeAndMessage(StowageException failure, Code code) {
        try (var driver = TestingDriver.complete()) {
            driver.backend.onCall = name -> {
                throw failure;
            };
            var status = TestingDriver.failure(() -> delete(driver));
            assertThat(status.getCode()).isEqualTo(code);
            assertThat(status.getDescription()).isEqualTo("x");
        }
    }

    @Test
    void anUnexpectedFailureTellsTheCallerOnlyWhereToLook() {
        try (var log = new TestingLog(LogLevel.INFO);
                var driver = TestingDriver.complete()) {
            driver.backend.onCall = name -> {
                throw new IllegalStateException("internals of the driver");
            };
            var status = TestingDriver.failure(() -> delete(driver));
            assertThat(status.getCode()).isEqualTo(Code.INTERNAL);
            assertThat(status.getDescription()).doesNotContain("internals").contains("call=");
            String call = String.valueOf(status.getDescription()).replaceFirst(".*call=", "call=");
            assertThat(log.awaitLine(line -> line.contains(call)))
                    .contains("internals of the driver", "trace=", "GrpcCodesTest", "level=warn");
        }
    }

    @Test
    void anErrorOfTheMachineIsAnsweredToo() {
        try (var driver = TestingDriver.complete()) {
            driver.backend.onCall = name -> {
                throw new StackOverflowError();
            };
            assertThat(TestingDriver.code(() -> delete(driver))).isEqualTo(Code.INTERNAL);
        }
    }

    @Test
    void aVeryLongMessageIsCutSoThatItArrives() {
        try (var driver = TestingDriver.complete()) {
            driver.backend.onCall = name -> {
                throw StowageException.internal("%s", "long ".repeat(10_000));
            };
            assertThat(TestingDriver.failure(() -> delete(driver)).getDescription())
                    .startsWith("long long")
                    .hasSizeLessThan(2100);
        }
    }

    private static void delete(TestingDriver driver) {
        driver.controller()
                .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId("v").build());
    }
}
