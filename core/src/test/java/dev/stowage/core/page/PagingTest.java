package dev.stowage.core.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.core.error.StowageException.Busy;
import dev.stowage.core.error.StowageException.InvalidRequest;
import dev.stowage.core.id.VolumeId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PagingTest {

    private final TreeMap<VolumeId, String> all = new TreeMap<>();

    PagingTest() {
        for (int i = 0; i < 10; i++) {
            all.put(new VolumeId("v" + i), "v" + i);
        }
    }

    private Page<String> page(int size, String token) {
        return Paging.of(all, new PageRequest(size, token), VolumeId::new, value -> true);
    }

    @Test
    void pagesPutTogetherAreTheWholeListing() {
        var seen = new ArrayList<String>();
        String token = "";
        do {
            var page = page(3, token);
            seen.addAll(page.entries());
            token = page.nextToken();
        } while (!token.isEmpty());
        assertThat(seen).containsExactlyElementsOf(all.values());
    }

    @Test
    void aTokenStaysGoodWhenTheEntryItNamesIsGone() {
        var first = page(3, "");
        all.remove(new VolumeId("v2"));
        all.put(new VolumeId("v0a"), "v0a");
        assertThat(page(2, first.nextToken()).entries()).containsExactly("v3", "v4");
    }

    @Test
    void theLastPageHasNoTokenEvenWhenItIsFull() {
        assertThat(page(10, "").nextToken()).isEmpty();
        assertThat(page(0, "").entries()).hasSize(10);
    }

    @Test
    void entriesThatAreNotWantedDoNotCount() {
        var page = Paging.of(all, new PageRequest(2, ""), VolumeId::new, value -> value.compareTo("v7") > 0);
        assertThat(page.entries()).containsExactly("v8", "v9");
        assertThat(page.nextToken()).isEmpty();
    }

    @Test
    void aTokenFromElsewhereIsRefusedAsTheSpecificationSays() {
        for (String token : List.of("invalid-token", "after:../x", "17")) {
            assertThatThrownBy(() -> page(1, token)).isInstanceOf(Busy.class);
        }
        assertThatThrownBy(() -> new PageRequest(-1, "")).isInstanceOf(InvalidRequest.class);
    }
}
