package dev.stowage.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.ListVolumesResponse;
import csi.v1.Volume;
import org.junit.jupiter.api.Test;

class ListingTest {

    @Test
    void entriesAreCountedAndTheTokenIsKept() {
        var answer = ListVolumesResponse.newBuilder()
                .addEntries(entry("one"))
                .addEntries(entry("two"))
                .setNextToken("from-three")
                .build();

        assertThat(new Listing.Counting().parse(answer.toByteString().newInput()))
                .isEqualTo(new Listing.Page(2, "from-three"));
    }

    @Test
    void theLastPageHasNoToken() {
        assertThat(new Listing.Counting()
                        .parse(ListVolumesResponse.getDefaultInstance()
                                .toByteString()
                                .newInput()))
                .isEqualTo(new Listing.Page(0, ""));
    }

    private static ListVolumesResponse.Entry entry(String id) {
        return ListVolumesResponse.Entry.newBuilder()
                .setVolume(Volume.newBuilder().setVolumeId(id))
                .build();
    }
}
