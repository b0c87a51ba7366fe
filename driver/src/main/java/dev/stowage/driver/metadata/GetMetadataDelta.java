package dev.stowage.driver.metadata;

import csi.v1.BlockMetadataType;
import csi.v1.GetMetadataDeltaRequest;
import csi.v1.GetMetadataDeltaResponse;
import dev.stowage.core.backend.ChangedBlocks;
import dev.stowage.core.id.SnapshotId;
import dev.stowage.core.lane.LaneNames;
import dev.stowage.core.lane.Lanes.Wish;
import dev.stowage.driver.call.StreamingOperation;
import dev.stowage.driver.message.TextMaps;
import java.util.List;
import java.util.function.Consumer;

final class GetMetadataDelta
        implements StreamingOperation<GetMetadataDeltaRequest, GetMetadataDelta.Wanted, GetMetadataDeltaResponse> {

    record Wanted(SnapshotId base, SnapshotId target, Position position) {}

    private final ChangedBlocks blocks;

    GetMetadataDelta(ChangedBlocks blocks) {
        this.blocks = blocks;
    }

    @Override
    public Wanted parse(GetMetadataDeltaRequest request) {
        var base = new SnapshotId(request.getBaseSnapshotId());
        var target = new SnapshotId(request.getTargetSnapshotId());
        TextMaps.secrets(request.getSecretsMap());
        return new Wanted(base, target, new Position(request.getStartingOffset(), request.getMaxResults()));
    }

    @Override
    public List<Wish> lanes(Wanted wanted) {
        return List.of(LaneNames.snapshotShared(wanted.base()), LaneNames.snapshotShared(wanted.target()));
    }

    @Override
    public void perform(Wanted wanted, Consumer<GetMetadataDeltaResponse> receiver) {
        long from = wanted.position().from();
        var listing = blocks.changed(wanted.base(), wanted.target(), from);
        Batches.stream(
                listing,
                from,
                wanted.position().maxResults(),
                batch -> GetMetadataDeltaResponse.newBuilder()
                        .setBlockMetadataType(BlockMetadataType.VARIABLE_LENGTH)
                        .setVolumeCapacityBytes(listing.volumeSizeBytes())
                        .addAllBlockMetadata(batch)
                        .build(),
                receiver);
    }
}
