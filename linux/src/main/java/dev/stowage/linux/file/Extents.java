package dev.stowage.linux.file;

import java.util.ArrayList;
import java.util.List;

/** Where the filesystem keeps a file. */
public final class Extents {
    private Extents() {}

    /** The extents in order of their place in the file; unwritten data is written first. Not every filesystem can tell. */
    public static List<Extent> of(FileHandle file) {
        var extents = new ArrayList<Extent>();
        try (var cursor = new ExtentCursor(file, 0)) {
            Extent next;
            while ((next = cursor.next()) != null) {
                extents.add(next);
            }
        }
        return extents;
    }
}
