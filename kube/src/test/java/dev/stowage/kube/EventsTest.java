package dev.stowage.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EventsTest {

    private static List<String> names(int count) {
        return IntStream.range(0, count)
                .mapToObj("pvc-%08d-0000-4000-8000-000000000000 (pod namespace/pod on node)"::formatted)
                .toList();
    }

    @Test
    void aFewNamesAreInOneMessage() {
        assertThat(Events.messages("these are in use", List.of("one", "two")))
                .containsExactly("these are in use: one, two");
    }

    @Test
    void manyNamesAreInAsManyMessagesAsItTakes() {
        var names = names(200);

        var messages = Events.messages("these are in use, 200 in all", names);

        assertThat(messages)
                .hasSizeGreaterThan(2)
                .allSatisfy(message -> assertThat(message)
                        .startsWith("these are in use, 200 in all (")
                        .hasSizeLessThanOrEqualTo(1000));
        assertThat(names)
                .allSatisfy(name -> assertThat(messages)
                        .filteredOn(message -> message.contains(name))
                        .hasSize(1));
        assertThat(messages.getLast()).contains("(%d of %1$d)".formatted(messages.size()));
    }

    @Test
    void aNameThatHasNoRoomIsInAMessageOfItsOwn() {
        assertThat(Events.messages("these are in use", List.of("one", "t".repeat(2000), "three")))
                .hasSize(3);
    }
}
