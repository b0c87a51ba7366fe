package dev.stowage.driver.metadata;

import static dev.stowage.driver.testing.TestingDriver.code;
import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.BlockMetadata;
import csi.v1.BlockMetadataType;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.GetMetadataAllocatedRequest;
import csi.v1.GetMetadataAllocatedResponse;
import csi.v1.GetMetadataDeltaRequest;
import csi.v1.GetMetadataDeltaResponse;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.driver.testing.Eventually;
import dev.stowage.driver.testing.TestingBackend;
import dev.stowage.driver.testing.TestingDriver;
import io.grpc.Status.Code;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MetadataServiceTest {

    private TestingDriver driver;

    @BeforeEach
    void start() {
        driver = TestingDriver.complete();
    }

    @AfterEach
    void stop() {
        driver.close();
    }

    @Test
    void allocatedRangesComeInOrderWithTheSizeOfTheVolume() {
        var messages = all(driver.metadata().getMetadataAllocated(allocated().build()));
        assertThat(messages).hasSize(1);
        var message = messages.getFirst();
        assertThat(message.getBlockMetadataType()).isEqualTo(BlockMetadataType.VARIABLE_LENGTH);
        assertThat(message.getVolumeCapacityBytes()).isEqualTo(TestingBackend.SIZE);
        assertThat(message.getBlockMetadataList())
                .containsExactly(range(0, 4096), range(8192, 4096), range(16384, 4096));
    }

    @Test
    void changedRangesAreAskedForWithBaseAndTarget() {
        List<GetMetadataDeltaResponse> messages = all(driver.metadata()
                .getMetadataDelta(GetMetadataDeltaRequest.newBuilder()
                        .setBaseSnapshotId("base")
                        .setTargetSnapshotId("target")
                        .setStartingOffset(8192)
                        .build()));
        assertThat(driver.backend.lastReceived()).isEqualTo(List.of(new SnapshotId("base"), new SnapshotId("target")));
        assertThat(messages.getFirst().getBlockMetadataType()).isEqualTo(BlockMetadataType.VARIABLE_LENGTH);
        assertThat(messages.getFirst().getVolumeCapacityBytes()).isEqualTo(TestingBackend.SIZE);
        assertThat(messages.getFirst().getBlockMetadataList()).containsExactly(range(8192, 4096), range(16384, 4096));
    }

    @Test
    void noMessageHasMoreEntriesThanAskedForAndNoneIsLost() {
        driver.backend.rangesToStream = 10;
        var messages = all(driver.metadata()
                .getMetadataAllocated(allocated().setMaxResults(4).build()));
        assertThat(messages)
                .extracting(GetMetadataAllocatedResponse::getBlockMetadataCount)
                .containsExactly(4, 4, 2);
        driver.backend.rangesToStream = 8;
        assertThat(all(driver.metadata()
                        .getMetadataAllocated(allocated().setMaxResults(4).build())))
                .extracting(GetMetadataAllocatedResponse::getBlockMetadataCount)
                .containsExactly(4, 4);
        driver.backend.rangesToStream = 600;
        assertThat(all(driver.metadata().getMetadataAllocated(allocated().build())))
                .extracting(GetMetadataAllocatedResponse::getBlockMetadataCount)
                .containsExactly(256, 256, 88);
    }

    @Test
    void anEmptySnapshotStillTellsItsSize() {
        driver.backend.rangesToStream = 0;
        var messages = all(driver.metadata().getMetadataAllocated(allocated().build()));
        assertThat(messages).hasSize(1);
        assertThat(messages.getFirst().getVolumeCapacityBytes()).isEqualTo(TestingBackend.SIZE);
        assertThat(messages.getFirst().getBlockMetadataCount()).isZero();
    }

    @Test
    void anOffsetOutsideOfTheVolumeIsOutOfRange() {
        for (long offset : new long[] {-1, Long.MIN_VALUE, TestingBackend.SIZE + 1, Long.MAX_VALUE}) {
            assertThat(code(() -> all(driver.metadata()
                            .getMetadataAllocated(
                                    allocated().setStartingOffset(offset).build()))))
                    .isEqualTo(Code.OUT_OF_RANGE);
            assertThat(code(() -> all(driver.metadata()
                            .getMetadataDelta(GetMetadataDeltaRequest.newBuilder()
                                    .setBaseSnapshotId("b")
                                    .setTargetSnapshotId("t")
                                    .setStartingOffset(offset)
                                    .build()))))
                    .isEqualTo(Code.OUT_OF_RANGE);
        }
    }

    @Test
    void wrongRequestsAreInvalid() {
        assertThat(code(() -> all(driver.metadata()
                        .getMetadataAllocated(allocated().clearSnapshotId().build()))))
                .isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(code(() -> all(driver.metadata()
                        .getMetadataAllocated(allocated().setMaxResults(-1).build()))))
                .isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(code(() -> all(driver.metadata()
                        .getMetadataDelta(GetMetadataDeltaRequest.newBuilder()
                                .setTargetSnapshotId("t")
                                .build()))))
                .isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(code(() -> all(driver.metadata()
                        .getMetadataDelta(GetMetadataDeltaRequest.newBuilder()
                                .setBaseSnapshotId("b")
                                .build()))))
                .isEqualTo(Code.INVALID_ARGUMENT);
    }

    @Test
    void aFailureInTheMiddleEndsTheStreamWithItsCode() {
        driver.backend.rangesToStream = 1000;
        var count = new AtomicLong();
        driver.backend.onCall = name -> {
            if (name.equals("range") && count.incrementAndGet() == 500) {
                throw StowageException.unavailable("the disk went away");
            }
        };
        var received = new ArrayList<GetMetadataAllocatedResponse>();
        var failure = TestingDriver.failure(() ->
                driver.metadata().getMetadataAllocated(allocated().build()).forEachRemaining(received::add));
        assertThat(failure.getCode()).isEqualTo(Code.UNAVAILABLE);
        assertThat(failure.getDescription()).isEqualTo("the disk went away");
        assertThat(received).hasSize(1);
    }

    @Test
    void aReceiverThatTakesNothingHoldsTheStreamBack() {
        var produced = new AtomicLong();
        driver.backend.rangesToStream = 1_000_000;
        driver.backend.onCall = name -> produced.incrementAndGet();
        var receiver = new SlowReceiver();
        driver.metadataAsync().getMetadataAllocated(allocated().build(), receiver);

        receiver.request(1);
        Eventually.isTrue("the first message is there", () -> receiver.messages.get() == 1);
        long settled = settle(produced);
        assertThat(settled).isLessThan(200_000);

        receiver.request(Integer.MAX_VALUE);
        Eventually.isTrue("all is received", () -> receiver.ranges.get() == 1_000_000);
        assertThat(receiver.failure.get()).isNull();
    }

    @Test
    void cancellingEndsTheWorkAndFreesTheSnapshot() {
        var produced = new AtomicLong();
        driver.backend.rangesToStream = Long.MAX_VALUE >> 20;
        driver.backend.onCall = name -> produced.incrementAndGet();
        var receiver = new SlowReceiver();
        driver.metadataAsync().getMetadataAllocated(allocated().build(), receiver);
        receiver.request(1);
        Eventually.isTrue("the first message is there", () -> receiver.messages.get() == 1);
        settle(produced);

        receiver.cancel();
        Eventually.isTrue("the snapshot can be deleted", this::deleteSnapshot);
        long after = produced.get();
        settle(produced);
        assertThat(produced.get() - after).isLessThan(10);
    }

    private boolean deleteSnapshot() {
        try {
            driver.controller()
                    .deleteSnapshot(DeleteSnapshotRequest.newBuilder()
                            .setSnapshotId("snap")
                            .build());
            return true;
        } catch (io.grpc.StatusRuntimeException busy) {
            assertThat(busy.getStatus().getCode()).isEqualTo(Code.ABORTED);
            return false;
        }
    }

    /** Waits until the count does not rise any more. */
    private static long settle(AtomicLong count) {
        long before = -1;
        while (count.get() != before) {
            before = count.get();
            for (int i = 0; i < 20; i++) {
                Eventually.pause();
            }
        }
        return before;
    }

    private static GetMetadataAllocatedRequest.Builder allocated() {
        return GetMetadataAllocatedRequest.newBuilder().setSnapshotId("snap");
    }

    private static BlockMetadata range(long offset, long size) {
        return BlockMetadata.newBuilder()
                .setByteOffset(offset)
                .setSizeBytes(size)
                .build();
    }

    private static <T> List<T> all(Iterator<T> stream) {
        var messages = new ArrayList<T>();
        stream.forEachRemaining(messages::add);
        return messages;
    }

    /** Takes only what the test asks for. */
    private static final class SlowReceiver
            implements ClientResponseObserver<GetMetadataAllocatedRequest, GetMetadataAllocatedResponse> {

        final AtomicLong messages = new AtomicLong();
        final AtomicLong ranges = new AtomicLong();
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        private final AtomicReference<ClientCallStreamObserver<GetMetadataAllocatedRequest>> call =
                new AtomicReference<>();

        @Override
        public void beforeStart(ClientCallStreamObserver<GetMetadataAllocatedRequest> stream) {
            stream.disableAutoRequestWithInitial(0);
            call.set(stream);
        }

        void request(int count) {
            call.get().request(count);
        }

        void cancel() {
            call.get().cancel("enough", null);
        }

        @Override
        public void onNext(GetMetadataAllocatedResponse message) {
            ranges.addAndGet(message.getBlockMetadataCount());
            messages.incrementAndGet();
        }

        @Override
        public void onError(Throwable thrown) {
            failure.set(thrown);
        }

        @Override
        public void onCompleted() {}
    }
}
