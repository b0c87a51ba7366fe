package dev.stowage.workbench.image;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What is in an image, and what it starts. */
public record ImageContent(List<Entry> entries, List<String> entrypoint, List<String> command) {

    /** A name in the image; its parent has to come before it. */
    public sealed interface Entry {
        String name();
    }

    public record DirectoryEntry(String name, int mode) implements Entry {}

    public record LinkEntry(String name, String target) implements Entry {}

    public record TextEntry(String name, String text) implements Entry {}

    public record ProgramEntry(String name, Path program) implements Entry {}

    public record FileEntry(String name, Path content, int mode) implements Entry {}

    public ImageContent {
        entries = List.copyOf(entries);
        entrypoint = List.copyOf(entrypoint);
        command = List.copyOf(command);
    }

    /** This image with one more program, which is what it starts. */
    public ImageContent starting(String name, Path program, List<String> arguments) {
        var more = new ArrayList<>(entries);
        more.add(new ProgramEntry(name, program));
        return new ImageContent(more, List.of("/" + name), arguments);
    }
}
