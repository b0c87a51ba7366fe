package dev.stowage.core.backend;

import java.util.Map;

/** A figure that a backend shows beside those of the driver: its name, what it means, what it is about, and its value now. */
public record Gauge(String name, String meaning, Map<String, String> labels, double value) {

    public Gauge {
        labels = Map.copyOf(labels);
    }
}
