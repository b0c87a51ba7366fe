package dev.stowage.core.volume;

import java.util.Map;

/** A place, as segments such as {@code zone: a}. */
public record Topology(Map<String, String> segments) {

    public Topology {
        segments = Map.copyOf(segments);
    }

    /** Whether something that is only {@code here} can be used from {@code this} place: every segment of here is matched. */
    public boolean within(Topology here) {
        return here.segments.entrySet().stream()
                .allMatch(segment -> segment.getValue().equals(segments.get(segment.getKey())));
    }
}
