package dev.stowage.array;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.array.rest.ApiClient;
import dev.stowage.array.testing.ArrayUnderTest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the API takes, answers and refuses. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiTest {

    private ArrayUnderTest array;

    @BeforeAll
    void start() throws IOException {
        array = new ArrayUnderTest();
    }

    @AfterAll
    void stop() throws IOException {
        array.close();
    }

    @Test
    void aWrongAccessKeyIsStatusFiveWhereverItIsGiven() {
        try (var wrong = new ApiClient(array.apiPort(), "another-token")) {
            assertThat(wrong.get("/pools.json").status()).isEqualTo(5);
            assertThat(wrong.post("/volumes.json", Map.of("name", "x")).status())
                    .isEqualTo(5);
        }
        try (var inTheQuery = new ApiClient(array.apiPort(), "")) {
            assertThat(inTheQuery.get("/pools.json").status()).isEqualTo(5);
        }
    }

    @Test
    void thereIsExactlyOnePoolAndItHasRoom() {
        var pool = array.api().get("/pools.json").done().list("pools");

        assertThat(pool).hasSize(1);
        assertThat(pool.getFirst().get("name")).isEqualTo(ArrayUnderTest.POOL);
        assertThat(pool.getFirst().get("mode")).isEqualTo("normal");
        assertThat(((Number) Objects.requireNonNull(pool.getFirst().get("available_capacity"))).doubleValue())
                .isPositive();
        assertThat(array.api().get("/pools/pool-00000002.json").status()).isNotZero();
    }

    @Test
    void formsAreTakenLikeJson() {
        var made = array.api().postForm("/volumes.json", "name=by+form&capacity=1G&pool=pool-00000001&block=YES");

        var volume = array.api()
                .get("/volumes/" + made.done().text("vol_name") + ".json")
                .object("volume");
        assertThat(volume.get("display_name")).isEqualTo("by form");
        assertThat(volume.get("virtual_capacity")).isEqualTo(1.0);
        assertThat(volume.get("data_type")).isEqualTo("BLOCK");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"name\":\"a\",\"block\":\"YES\"} | capacity is missing",
                "{\"capacity\":\"1G\",\"block\":\"YES\"} | name is missing",
                "{\"name\":\"a\",\"capacity\":\"-1G\",\"block\":\"YES\"} | capacity: expected a size",
                "{\"name\":\"a\",\"capacity\":\"0G\",\"block\":\"YES\"} | is not between",
                "{\"name\":\"a\",\"capacity\":\"1G\",\"block\":\"PERHAPS\"} | expected YES or NO",
                "{\"name\":\"a\",\"capacity\":\"1G\",\"block\":\"YES\",\"pool\":\"pool-9\"} | was not found",
                "{\"name\":\"a\",\"capacity\":{},\"block\":\"YES\"} | expected a text",
                "{\"name\":\"a\",\"capacity\":\"1G\"} | block is missing",
                "{\"name\":\"a\",\"capacity\":\"16M\",\"block\":\"NO\"} | at least 300",
                "{\"name\":\"a\",\"capacity\":\"1G\",\"block\":\"NO\",\"export_name\":\"a/b\"} | export name",
                "{\"name\":\"a\",\"capacity\":\"1G\",\"block\":\"NO\",\"nfsanonuid\":\"1;}\"} | nfsanonuid",
                "{\"name\":\"a\" | the request's JSON lacks",
                "[1] | is not an object",
            })
    void aWrongRequestIsToldWhatIsWrongAndChangesNothing(String body, String message) throws IOException {
        var before = array.files();

        var answer = array.api().postText("/volumes.json", body);

        assertThat(answer.status()).isNotZero();
        assertThat(answer.message()).contains(message);
        assertThat(array.files()).isEqualTo(before);
    }

    @Test
    void whatIsNotThereHasTheOriginalsNumbers() {
        assertThat(array.api().get("/volumes/volume-0000ffff.json").status()).isEqualTo(10081);
        assertThat(array.api().delete("/volumes/volume-0000ffff.json").status()).isEqualTo(10081);
        assertThat(array.api().get("/servers/srv-0000ffff.json").status()).isEqualTo(10086);
        assertThat(array.api()
                        .post("/servers/srv-0000ffff/volumes.json", Map.of("volume_name", "volume-0000ffff"))
                        .status())
                .isEqualTo(10086);
        assertThat(array.api().get("/volumes/..%2f..%2fetc.json").status()).isNotZero();
        assertThat(array.api().get("/nothing.json").message()).contains("/api/nothing.json");
    }

    @Test
    void aNameIsTakenOnlyOnceAndFreeAgainAfterwards() {
        var first = array.volume("once", "16M");

        var second = array.api().post("/volumes.json", Map.of("name", "once", "capacity", "16M", "block", "YES"));

        assertThat(second.message()).contains("taken").contains(first);
        array.api().delete("/volumes/" + first + ".json").done();
        assertThat(array.volume("once", "16M")).isNotEqualTo(first);
    }

    @Test
    void aDeletedVolumeIsInTheRecycleBinUntilItIsPurged() throws IOException {
        var volume = array.volume("recycled", "16M");

        array.api().delete("/volumes/" + volume + ".json").done();

        assertThat(array.api().get("/volumes/" + volume + ".json").status()).isEqualTo(10081);
        assertThat(binned()).contains(volume);
        assertThat(array.files()).contains(volume);
        array.api()
                .delete("/volumes/" + volume + "/delete_volume_from_recycle_bin.json")
                .done();
        assertThat(binned()).doesNotContain(volume);
        assertThat(array.files()).doesNotContain(volume);
    }

    private List<String> binned() {
        return array
                .api()
                .get("/pools/" + ArrayUnderTest.POOL + "/volumes_in_recycle_bin.json")
                .done()
                .list("volumes")
                .stream()
                .map(volume -> String.valueOf(volume.get("name")))
                .toList();
    }

    @Test
    void aListComesInPagesAndSaysHowLongItIs() {
        for (int i = 0; i < 5; i++) {
            array.server("paged-" + i, "iqn.2026-01.test:paged-" + i);
        }
        var all = array.api().get("/servers.json").done().list("servers");

        var page = array.api().get("/servers.json?start=1&limit=2").done();

        assertThat(page.list("servers").stream().map(each -> String.valueOf(each.get("name"))))
                .isEqualTo(all.subList(1, 3).stream()
                        .map(each -> String.valueOf(each.get("name")))
                        .toList());
        assertThat(page.text("count")).isEqualTo(String.valueOf(all.size()));
        assertThat(array.api()
                        .get("/servers.json?start=100000&limit=9223372036854775807")
                        .status())
                .isNotZero();
        assertThat(array.api().get("/servers.json?start=100000&limit=5").list("servers"))
                .isEmpty();
    }

    @Test
    void attachingAgainIsNoErrorAndDetachingWhatIsNotAttachedNeither() {
        var volume = array.volume("again", "16M");
        var server = array.server("again", "iqn.2026-01.test:again");
        array.attach(server, volume);
        array.attach(server, volume);

        assertThat(array.api().get("/volumes/" + volume + "/servers.json").list("servers"))
                .hasSize(1);
        array.api()
                .post("/volumes/" + volume + "/detach.json", Map.of("server_name", List.of(server)))
                .done();
        array.api()
                .post("/volumes/" + volume + "/detach.json", Map.of("server_name", List.of(server)))
                .done();
    }

    @Test
    void aHostileNameOfAnInitiatorReachesNoTarget() {
        for (String iqn : List.of("iqn.a,initiator-address=ALL", "iqn.a b", "ALL", "iqn.a\nb")) {
            assertThat(array.api()
                            .post("/servers.json", Map.of("display_name", "bad", "iqn", iqn))
                            .message())
                    .contains("iqn");
        }
    }

    @Test
    void aHostileAddressReachesNoServerOfShares() {
        for (String address :
                List.of("*", "192.0.2.7; Access_Type = RW", "192.0.2.0/33", "host", "1.2.3.4.5", "::1/129", "@all")) {
            assertThat(array.api()
                            .post("/servers.json", Map.of("display_name", "bad", "iscsi", address))
                            .message())
                    .contains("iscsi");
        }
        for (String address : List.of("192.0.2.7", "192.0.2.0/24", "2001:db8::7", "2001:db8::/64")) {
            array.serverAt("at " + address, address);
        }
    }

    @Test
    void aNewAccessKeyTakesTheOldOnesPlace() throws IOException {
        try (var own = new ArrayUnderTest()) {
            var key = String.valueOf(own.api()
                    .post("/users/admin/access_key.json", Map.of())
                    .done()
                    .object("user")
                    .get("access-key"));

            assertThat(own.api().get("/pools.json").status()).isEqualTo(5);
            try (var other = new ApiClient(own.apiPort(), key)) {
                other.get("/pools.json").done();
            }
            assertThat(own.api()
                            .post("/users/login.json", Map.of("user", "admin", "password", ArrayUnderTest.TOKEN))
                            .done()
                            .object("user")
                            .get("access-key"))
                    .isEqualTo(key);
        }
    }
}
