package dev.stowage.node;

import dev.stowage.core.backend.NodeVolumes.Amount;
import dev.stowage.core.backend.NodeVolumes.Place;
import dev.stowage.core.backend.NodeVolumes.Usage;
import dev.stowage.core.error.StowageException;
import dev.stowage.core.id.TargetPath;
import dev.stowage.core.volume.SizeRange;
import dev.stowage.core.volume.Sizes;
import dev.stowage.linux.filesystem.Filesystems;
import dev.stowage.node.Devices.Device;
import dev.stowage.node.record.UseRecord;
import java.nio.file.Path;
import java.util.Optional;

/** The paths at which volumes can be seen, and what can be asked and done there. */
final class Places {

    private final Devices devices;
    private final NodeRecords records;
    private final StagedVolumes stagedVolumes;
    private final Growth growth;

    Places(Devices devices, NodeRecords records, StagedVolumes stagedVolumes, Growth growth) {
        this.devices = devices;
        this.records = records;
        this.stagedVolumes = stagedVolumes;
        this.growth = growth;
    }

    /**
     * A path at which the volume is, by its record and by the kernel.
     *
     * @param use how the volume as a whole is used: a read-only publication of a volume that is staged for writing does not change that
     */
    private record Live(Path path, Device device, UseRecord use) {}

    private Live live(Place place) {
        var asked = place.volumePath().or(place::stagingPath);
        return stagedAt(place, asked)
                .or(() -> asked.flatMap(path -> publishedAt(place, path)))
                .orElseThrow(() -> StowageException.notFound(
                        "volume %s is not staged or published %s",
                        place.volume(), asked.map(path -> "at " + path).orElse("on this node")));
    }

    private Optional<Live> stagedAt(Place place, Optional<TargetPath> asked) {
        return stagedVolumes
                .staged(place.volume())
                .filter(staged -> asked.isEmpty()
                        || staged.record().getStagingPath().equals(asked.get().value()))
                .map(staged -> new Live(staged.path(), staged.device(), staged.use()));
    }

    private Optional<Live> publishedAt(Place place, TargetPath asked) {
        return records.publication(place.volume(), asked)
                .filter(StagedVolumes::live)
                .map(record -> {
                    var device = Recorded.device(record).orElseThrow();
                    return record.getEphemeral()
                            ? new Live(Path.of(asked.value()), device, record.getUse())
                            : stagedVolumes
                                    .staged(place.volume())
                                    .map(staged -> new Live(staged.path(), staged.device(), staged.use()))
                                    .orElseGet(() -> new Live(Path.of(asked.value()), device, record.getUse()));
                });
    }

    Usage usage(Place place) {
        var live = live(place);
        if (live.use().getBlock()) {
            // Nobody but its user knows how much of a raw device is in use.
            return new Usage(new Amount(devices.size(live.device()), 0, 0), Optional.empty());
        }
        var usage = Filesystems.usage(live.path());
        return new Usage(
                new Amount(usage.totalBytes(), usage.usedBytes(), usage.availableBytes()),
                Optional.of(new Amount(usage.totalInodes(), usage.usedInodes(), usage.freeInodes())));
    }

    long expand(Place place, SizeRange wanted) {
        var live = live(place);
        if (live.device().exported()) {
            // The server's filesystem has the size that the server gave it.
            return wanted.required();
        }
        long size = devices.resize(live.device());
        if (!wanted.contains(size)) {
            throw StowageException.outOfRange(
                    "volume %s: its device has %s, which is not what is asked for (%s or more%s); expand the volume itself first",
                    place.volume(),
                    Sizes.text(size),
                    Sizes.text(wanted.required()),
                    wanted.limit() == 0 ? "" : ", " + Sizes.text(wanted.limit()) + " at most");
        }
        if (!live.use().getBlock() && !live.use().getReadOnly()) {
            growth.online(place.volume(), live.device(), live.path(), size);
        }
        return size;
    }
}
