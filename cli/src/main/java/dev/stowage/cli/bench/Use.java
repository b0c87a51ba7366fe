package dev.stowage.cli.bench;

import csi.v1.VolumeCapability;
import dev.stowage.cli.client.CsiClient;
import dev.stowage.core.volume.Sizes;

/** A pod with a volume starts and ends on the node. The volume has been used before, as all volumes have but for the first time. */
final class Use implements Workload {

    private static final long SIZE = 64 * Sizes.MIB;

    private final String kind;
    private final VolumeCapability capability;

    private Use(String kind, VolumeCapability capability) {
        this.kind = kind;
        this.capability = capability;
    }

    static Use filesystem() {
        return new Use("filesystem", CsiClient.mounted("ext4"));
    }

    static Use block() {
        return new Use("block", CsiClient.block());
    }

    @Override
    public String title() {
        return "stage + publish + unpublish + unstage, " + kind;
    }

    @Override
    public Lane lane(DriverUnderTest driver, int number) throws Exception {
        var calls = new CsiCalls(driver);
        var volume = calls.attached(kind + "-" + number, SIZE, capability);
        var lane = new Lane() {
            @Override
            public void run() {
                calls.stage(volume);
                calls.publish(volume);
                calls.unpublish(volume);
                calls.unstage(volume);
            }

            @Override
            public void recover() {
                calls.unpublish(volume);
                calls.unstage(volume);
            }

            @Override
            public void close() {
                calls.detachAndDelete(volume);
            }
        };
        lane.run();
        return lane;
    }
}
