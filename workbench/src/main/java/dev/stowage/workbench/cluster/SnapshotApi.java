package dev.stowage.workbench.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

/** The custom resources of snapshots and group snapshots. */
final class SnapshotApi {
    private static final String NEEDS_CONVERSION = "groupsnapshot.storage.k8s.io_volumegroupsnapshotcontents.yaml";

    /** The published resource expects its converter behind a Service. Ours is a process beside the API server. */
    private static final String CONVERTED_BESIDE_THE_API_SERVER = """
            [{"op": "replace", "path": "/spec/conversion/webhook/clientConfig", "value": {"url": "%s", "caBundle": "%s"}}]""";

    private SnapshotApi() {}

    /**
     * @param converter what turns the versions of VolumeGroupSnapshotContent into each other
     * @param authority who vouches for the converter
     */
    static void install(Path resources, Kubectl kubectl, String converter, Path authority) {
        var patch = CONVERTED_BESIDE_THE_API_SERVER.formatted(
                converter, Base64.getEncoder().encodeToString(read(authority).getBytes(StandardCharsets.US_ASCII)));
        for (Path resource : resourcesIn(resources)) {
            var manifest = resource.endsWith(NEEDS_CONVERSION)
                    ? kubectl.run(
                            "patch",
                            "--local",
                            "--filename=" + resource,
                            "--type=json",
                            "--patch=" + patch,
                            "--output=yaml")
                    : read(resource);
            kubectl.apply(manifest);
        }
        kubectl.run(
                "wait",
                "--for=condition=Established",
                "--timeout=60s",
                "customresourcedefinition/volumesnapshots.snapshot.storage.k8s.io",
                "customresourcedefinition/volumesnapshotcontents.snapshot.storage.k8s.io",
                "customresourcedefinition/volumesnapshotclasses.snapshot.storage.k8s.io",
                "customresourcedefinition/volumegroupsnapshots.groupsnapshot.storage.k8s.io",
                "customresourcedefinition/volumegroupsnapshotcontents.groupsnapshot.storage.k8s.io",
                "customresourcedefinition/volumegroupsnapshotclasses.groupsnapshot.storage.k8s.io");
    }

    private static List<Path> resourcesIn(Path directory) {
        try (var files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().contains("storage.k8s.io_"))
                    .sorted()
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException("the custom resources of the snapshot API cannot be listed", failure);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read " + file, failure);
        }
    }
}
