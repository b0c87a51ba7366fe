package dev.stowage.workbench.image;

import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;

/** The files of one layer, in an order that depends on their names alone, each directory before what is in it. */
final class Tree {
    static final int DIRECTORY = 0755;
    static final int PLAIN = 0644;
    static final int EXECUTABLE = 0755;

    private final TreeMap<String, ImageContent.Entry> entries = new TreeMap<>();

    Tree directory(String name, int mode) {
        return add(new ImageContent.DirectoryEntry(name, mode));
    }

    Tree link(String name, String target) {
        return add(new ImageContent.LinkEntry(name, target));
    }

    Tree text(String name, String text) {
        return add(new ImageContent.TextEntry(name, text));
    }

    Tree file(String name, Path content, int mode) {
        return add(new ImageContent.FileEntry(name, content, mode));
    }

    boolean has(String name) {
        return entries.containsKey(name);
    }

    List<ImageContent.Entry> entries() {
        return List.copyOf(entries.values());
    }

    private Tree add(ImageContent.Entry entry) {
        var name = entry.name();
        for (int slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
            var parent = name.substring(0, slash);
            entries.putIfAbsent(parent, new ImageContent.DirectoryEntry(parent, DIRECTORY));
        }
        entries.put(name, entry);
        return this;
    }
}
