package dev.stowage.workbench.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The custom resources of snapshots and group snapshots. */
final class SnapshotApi {
    private static final String NEEDS_CONVERSION = "groupsnapshot.storage.k8s.io_volumegroupsnapshotcontents.yaml";

    /**
     * The published resource has two versions of different shape and a webhook, which is not published, between them. The controller
     * and the sidecar know the first version only, so that one is stored and the second is not served.
     */
    private static final String FIRST_VERSION_ONLY = """
            [{"op": "remove", "path": "/spec/conversion"},
             {"op": "test", "path": "/spec/versions/0/name", "value": "v1beta1"},
             {"op": "replace", "path": "/spec/versions/0/storage", "value": true},
             {"op": "replace", "path": "/spec/versions/1/storage", "value": false},
             {"op": "replace", "path": "/spec/versions/1/served", "value": false}]""";

    private SnapshotApi() {}

    static void install(Path resources, Kubectl kubectl) {
        for (Path resource : resourcesIn(resources)) {
            var manifest = resource.endsWith(NEEDS_CONVERSION)
                    ? kubectl.run(
                            "patch",
                            "--local",
                            "--filename=" + resource,
                            "--type=json",
                            "--patch=" + FIRST_VERSION_ONLY,
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
