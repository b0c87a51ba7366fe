package dev.stowage.array.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.array.service.Servers;
import dev.stowage.array.service.Volumes;
import dev.stowage.array.testing.ArrayUnderTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Long lists cost what is asked of them. */
class PagingTest {

    private static final int VOLUMES = 1000;
    private static final int SERVERS = 100;
    private static final int PAGE = 100;

    @Test
    void onlyWhatIsOnThePageIsLookedAt() {
        var looks = new AtomicInteger();
        var call = new Call(List.of(), new Parameters().form("start=300&limit=" + PAGE));

        var page = call.page("numbers", IntStream.range(0, VOLUMES).boxed(), number -> {
            looks.incrementAndGet();
            return Map.of("number", number);
        });

        assertThat(looks).hasValue(PAGE);
        assertThat(page.get("count")).isEqualTo(VOLUMES);
        assertThat(page.get("numbers"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .startsWith(Map.of("number", 300))
                .hasSize(PAGE);
    }

    @Test
    void aThousandVolumesAndAHundredServersComeInPagesEachOnce() throws IOException {
        try (var array = new ArrayUnderTest()) {
            for (int i = 0; i < VOLUMES; i++) {
                array.array()
                        .volumes()
                        .create(new Volumes.Wish("volume " + i, "16M", ArrayUnderTest.POOL, false, Map.of()));
            }
            for (int i = 0; i < SERVERS; i++) {
                array.array().servers().create(server(i));
            }

            assertThat(pages(array, "volumes", VOLUMES)).hasSize(VOLUMES).doesNotHaveDuplicates();
            assertThat(pages(array, "servers", SERVERS)).hasSize(SERVERS).doesNotHaveDuplicates();
            assertThat(array.api()
                            .get("/volumes.json?display_name=volume%20777")
                            .list("volumes"))
                    .hasSize(1);
        }
    }

    private static Servers.Wish server(int number) {
        var none = Optional.<String>empty();
        return new Servers.Wish(
                Optional.of("server " + number),
                Optional.of("iqn.2026-01.test:server-" + number),
                none,
                none,
                none,
                none,
                false);
    }

    private static List<String> pages(ArrayUnderTest array, String kind, int count) {
        var names = new ArrayList<String>();
        var sizes = new HashSet<Integer>();
        for (int start = 0; start < count; start += PAGE) {
            var page = array.api()
                    .get("/" + kind + ".json?start=" + start + "&limit=" + PAGE)
                    .done();
            assertThat(page.text("count")).isEqualTo(String.valueOf(count));
            page.list(kind).forEach(each -> names.add(String.valueOf(each.get("name"))));
            sizes.add(page.list(kind).size());
        }
        assertThat(sizes).containsExactly(PAGE);
        return names;
    }
}
