package dev.stowage.workbench.image;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a container is started with, and what is told about the image. */
record ImageSettings(
        List<String> environment,
        List<String> entrypoint,
        List<String> command,
        String user,
        String workingDirectory,
        Map<String, String> labels) {

    static final String SEARCH_PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    ImageSettings {
        environment = List.copyOf(environment);
        entrypoint = List.copyOf(entrypoint);
        command = List.copyOf(command);
        labels = new TreeMap<>(labels);
    }

    static ImageSettings starting(List<String> entrypoint, List<String> command) {
        return new ImageSettings(List.of(SEARCH_PATH), entrypoint, command, "", "/", Map.of());
    }
}
