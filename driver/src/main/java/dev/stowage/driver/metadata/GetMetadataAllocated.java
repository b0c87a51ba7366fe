package dev.stowage.driver.metadata;

import csi.v1.BlockMetadataType;
import csi.v1.GetMetadataAllocatedRequest;
import csi.v1.GetMetadataAllocatedResponse;
import dev.stowage.core.backend.ChangedBlocks;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.lane.LaneNames;
import dev.stowage.core.lane.Lanes.Wish;
import dev.stowage.driver.call.StreamingOperation;
import dev.stowage.driver.message.TextMaps;
import java.util.List;
import java.util.function.Consumer;

final class GetMetadataAllocated
        implements StreamingOperation<
                GetMetadataAllocatedRequest, GetMetadataAllocated.Wanted, GetMetadataAllocatedResponse> {

    record Wanted(SnapshotId snapshot, Position position) {}

    private final ChangedBlocks blocks;

    GetMetadataAllocated(ChangedBlocks blocks) {
        this.blocks = blocks;
    }

    @Override
    public Wanted parse(GetMetadataAllocatedRequest request) {
        var snapshot = new SnapshotId(request.getSnapshotId());
        TextMaps.secrets(request.getSecretsMap());
        return new Wanted(snapshot, new Position(request.getStartingOffset(), request.getMaxResults()));
    }

    @Override
    public List<Wish> lanes(Wanted wanted) {
        return List.of(LaneNames.snapshotShared(wanted.snapshot()));
    }

    @Override
    public void perform(Wanted wanted, Consumer<GetMetadataAllocatedResponse> receiver) {
        long from = wanted.position().from();
        var listing = blocks.allocated(wanted.snapshot(), from);
        Batches.stream(
                listing,
                from,
                wanted.position().maxResults(),
                batch -> GetMetadataAllocatedResponse.newBuilder()
                        .setBlockMetadataType(BlockMetadataType.VARIABLE_LENGTH)
                        .setVolumeCapacityBytes(listing.volumeSizeBytes())
                        .addAllBlockMetadata(batch)
                        .build(),
                receiver);
    }
}
