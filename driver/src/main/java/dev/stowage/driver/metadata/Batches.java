package dev.stowage.driver.metadata;

import csi.v1.BlockMetadata;
import dev.stowage.core.backend.ChangedBlocks;
import dev.stowage.core.error.StowageException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Gathers ranges into messages of a bounded number of entries. */
final class Batches implements ChangedBlocks.Ranges {

    private static final int DEFAULT_ENTRIES = 256;

    /** However many a caller asks for, a message stays well below what gRPC receivers accept. */
    private static final int MOST_ENTRIES = 16 << 10;

    private final int entries;
    private final Consumer<List<BlockMetadata>> send;
    private final List<BlockMetadata> batch = new ArrayList<>();
    private boolean sent;

    private Batches(int entries, Consumer<List<BlockMetadata>> send) {
        this.entries = entries;
        this.send = send;
    }

    /** Streams the whole listing; at least one message is sent, since it tells the volume's size. */
    static <R> void stream(
            ChangedBlocks.Listing listing,
            long from,
            int maxResults,
            Function<List<BlockMetadata>, R> message,
            Consumer<R> receiver) {
        if (from > listing.volumeSizeBytes()) {
            throw StowageException.outOfRange(
                    "starting_offset %d lies beyond the volume's %d bytes", from, listing.volumeSizeBytes());
        }
        int entries = maxResults == 0 ? DEFAULT_ENTRIES : Math.min(maxResults, MOST_ENTRIES);
        var batches = new Batches(entries, batch -> receiver.accept(message.apply(batch)));
        listing.stream(batches);
        batches.finish();
    }

    @Override
    public void range(long offset, long length) {
        batch.add(BlockMetadata.newBuilder()
                .setByteOffset(offset)
                .setSizeBytes(length)
                .build());
        if (batch.size() == entries) {
            sendBatch();
        }
    }

    private void finish() {
        if (!batch.isEmpty() || !sent) {
            sendBatch();
        }
    }

    private void sendBatch() {
        send.accept(List.copyOf(batch));
        batch.clear();
        sent = true;
    }
}
