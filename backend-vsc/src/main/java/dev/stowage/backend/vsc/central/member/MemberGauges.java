package dev.stowage.backend.vsc.central.member;

import dev.stowage.arrayapi.ArrayClient;
import dev.stowage.core.backend.Gauge;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What those who watch see of arrays. */
final class MemberGauges {

    private MemberGauges() {}

    static List<Gauge> of(Collection<Member> members) {
        var byName = members.stream().sorted(Comparator.comparing(Member::name)).toList();
        return Stream.of(
                        byName.stream().flatMap(MemberGauges::calls),
                        each(
                                byName,
                                "stowage_array_calls_in_flight",
                                "Calls that an array has not answered yet.",
                                ArrayClient::underWay),
                        each(
                                byName,
                                "stowage_array_calls_waiting",
                                "Calls that wait until an array has answered others.",
                                ArrayClient::waiting),
                        each(
                                byName,
                                "stowage_array_left_alone",
                                "Whether an array is not asked for a while, because too many calls failed.",
                                client -> client.leftAlone() ? 1 : 0))
                .flatMap(gauges -> gauges)
                .toList();
    }

    private static Stream<Gauge> calls(Member member) {
        return member.client().calls().entrySet().stream()
                .map(entry -> new Gauge(
                        "stowage_array_calls",
                        "Calls to an array that ended since this process knows it, by call and outcome.",
                        Map.of(
                                "array", member.name(),
                                "call", entry.getKey().call(),
                                "outcome", entry.getKey().outcome().toString()),
                        entry.getValue()));
    }

    private static Stream<Gauge> each(
            List<Member> members, String name, String meaning, ToDoubleFunction<ArrayClient> value) {
        return members.stream()
                .map(member ->
                        new Gauge(name, meaning, Map.of("array", member.name()), value.applyAsDouble(member.client())));
    }
}
