package dev.stowage.workbench.install;

import dev.stowage.workbench.cluster.Tools;
import dev.stowage.workbench.image.ImageArchive;
import dev.stowage.workbench.image.ImageContent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The stock sidecars as images of one program each, made from what the tools were built to. */
final class SidecarImages {
    private static final List<String> PROGRAMS = List.of("csi-provisioner", "csi-resizer", "csi-snapshotter");

    private SidecarImages() {}

    /** The name under which the cluster knows a sidecar. */
    static String name(String program) {
        return "localhost/" + program + ":1";
    }

    /** Writes their archives to a directory. */
    static List<Path> write(Tools tools, Path directory) {
        var archives = new ArrayList<Path>();
        try {
            Files.createDirectories(directory);
            for (String program : PROGRAMS) {
                var archive = directory.resolve(program + ".tar");
                var content = new ImageContent(List.of(), List.of(), List.of())
                        .starting(program, Path.of(tools.program(program)).toRealPath(), List.of());
                ImageArchive.write(archive, content, List.of(name(program)));
                archives.add(archive);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot make the images of the sidecars in " + directory, failure);
        }
        return archives;
    }
}
