package dev.stowage.driver.call;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.ListVolumesRequest;
import csi.v1.ProbeRequest;
import dev.stowage.core.error.StowageException;
import dev.stowage.driver.log.LogLevel;
import dev.stowage.driver.testing.Capabilities;
import dev.stowage.driver.testing.Eventually;
import dev.stowage.driver.testing.TestingBackend;
import dev.stowage.driver.testing.TestingDriver;
import dev.stowage.driver.testing.TestingLog;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class CallInterceptorTest {

    @Test
    void aChangeIsLoggedOnceWithItsIdVolumeCodeAndDuration() {
        try (var log = new TestingLog(LogLevel.INFO);
                var driver = TestingDriver.complete()) {
            delete(driver, "vol-1");
            assertThat(log.awaitLine(line -> line.contains("rpc=DeleteVolume")))
                    .matches("ts=\\S+Z level=info call=[0-9a-f]{8} rpc=DeleteVolume volume=vol-1 logger=CallLog "
                            + "msg=\"done\" code=OK ms=[0-9]+\\.[0-9]");
            assertThat(log.lines())
                    .filteredOn(line -> line.contains("rpc=DeleteVolume"))
                    .hasSize(1);
        }
    }

    @Test
    void readsAreQuietUnlessAskedFor() {
        try (var log = new TestingLog(LogLevel.INFO);
                var driver = TestingDriver.complete()) {
            driver.identity().probe(ProbeRequest.getDefaultInstance());
            driver.controller().listVolumes(ListVolumesRequest.getDefaultInstance());
            delete(driver, "vol-1");
            log.awaitLine(line -> line.contains("rpc=DeleteVolume"));
            assertThat(log.text()).doesNotContain("rpc=Probe", "rpc=ListVolumes");
            LogLevel.set(LogLevel.DEBUG);
            driver.identity().probe(ProbeRequest.getDefaultInstance());
            assertThat(log.awaitLine(line -> line.contains("rpc=Probe") && line.contains("done")))
                    .contains("level=debug");
        }
    }

    @Test
    void aFailureIsAWarningWithItsReasonAndWithoutATrace() {
        try (var log = new TestingLog(LogLevel.INFO);
                var driver = TestingDriver.complete()) {
            driver.backend.onCall = name -> {
                throw StowageException.notPossible("volume vol-1 is in use");
            };
            assertThat(TestingDriver.failure(() -> delete(driver, "vol-1")).isOk())
                    .isFalse();
            assertThat(log.awaitLine(line -> line.contains("rpc=DeleteVolume")))
                    .contains("level=warn", "code=FAILED_PRECONDITION", "error=\"volume vol-1 is in use\"")
                    .doesNotContain("trace=");
        }
    }

    @Test
    void secretsNeverReachTheLogWhateverItsLevel() {
        try (var log = new TestingLog(LogLevel.TRACE);
                var driver = TestingDriver.complete()) {
            driver.controller()
                    .createVolume(CreateVolumeRequest.newBuilder()
                            .setName("n")
                            .addVolumeCapabilities(Capabilities.mount())
                            .putSecrets("password", "hunter2")
                            .build());
            assertThat(TestingDriver.failure(() -> driver.controller()
                                    .createVolume(CreateVolumeRequest.newBuilder()
                                            .putSecrets("password", "hunter2")
                                            .build()))
                            .getDescription())
                    .doesNotContain("hunter2");
            log.awaitLine(line -> line.contains("request") && line.contains("<stripped>"));
            log.awaitLine(line -> line.contains("INVALID_ARGUMENT"));
            assertThat(log.text()).doesNotContain("hunter2");
        }
    }

    @Test
    void hostileNamesCannotForgeALogLine() {
        try (var log = new TestingLog(LogLevel.DEBUG);
                var driver = TestingDriver.complete()) {
            String forged = "x\nts=2026 level=error msg=\"forged\"\u2028\u0085\u001b[2J\" level=error";
            assertThat(TestingDriver.failure(() -> delete(driver, forged)).isOk())
                    .isFalse();
            log.awaitLine(line -> line.contains("INVALID_ARGUMENT"));
            assertThat(log.lines()).allMatch(line -> line.startsWith("ts=20"));
            assertThat(log.lines()).noneMatch(line -> line.startsWith("ts=2026 level=error msg=\"forged"));
            assertThat(log.text()).doesNotContain("\u2028", "\u0085", "\u001b");
        }
    }

    @Test
    void linesOfABackendCarryTheIdOfTheCall() {
        try (var log = new TestingLog(LogLevel.INFO);
                var driver = TestingDriver.complete()) {
            var context = new AtomicReference<CallContext>();
            driver.backend.onCall = name -> {
                context.set(CallContext.current().orElseThrow());
                LoggerFactory.getLogger("dev.stowage.somewhere.Deep").info("working on {}", "it");
            };
            delete(driver, "vol-1");
            assertThat(context.get().rpc()).isEqualTo("DeleteVolume");
            assertThat(context.get().subject()).contains(new Subject("volume", "vol-1"));
            assertThat(log.awaitLine(line -> line.contains("logger=Deep")))
                    .contains("call=" + context.get().id(), "rpc=DeleteVolume", "msg=\"working on it\"");
        }
    }

    @Test
    void theListenerHearsOfEveryCallOnItsThread() {
        var heard = new CopyOnWriteArrayList<String>();
        var listener = new CallListener() {
            @Override
            public void started(String rpc) {
                heard.add("started " + rpc + " " + Thread.currentThread().getName());
            }

            @Override
            public void finished(String rpc) {
                heard.add("finished " + rpc + " " + Thread.currentThread().getName());
            }
        };
        try (var driver = TestingDriver.of(TestingBackend.complete(), settings -> settings.withListener(listener))) {
            driver.backend.onCall =
                    name -> heard.add("working " + Thread.currentThread().getName());
            delete(driver, "vol-1");
            Eventually.isTrue("three things heard", () -> heard.size() == 3);
            String thread = heard.get(1).substring("working ".length());
            assertThat(heard)
                    .isEqualTo(List.of(
                            "started DeleteVolume " + thread, "working " + thread, "finished DeleteVolume " + thread));
        }
    }

    private static void delete(TestingDriver driver, String volume) {
        driver.controller()
                .deleteVolume(
                        DeleteVolumeRequest.newBuilder().setVolumeId(volume).build());
    }
}
