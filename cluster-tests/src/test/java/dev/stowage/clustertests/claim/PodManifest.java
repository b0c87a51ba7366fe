package dev.stowage.clustertests.claim;

import dev.stowage.workbench.WorkbenchException;
import dev.stowage.workbench.cluster.Images;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A pod as a user writes it: a shell that runs until it is deleted, with volumes. What is added are lines of YAML. */
record PodManifest(String name, List<String> spec, List<String> container, List<String> mounts, List<String> volumes) {

    static PodManifest named(String name) {
        return new PodManifest(name, List.of(), List.of(), List.of(), List.of());
    }

    /** The usual case: the claim's filesystem at /data. */
    static PodManifest using(String name, String claim) {
        return named(name).claim("data", claim).mount("{name: data, mountPath: /data}");
    }

    PodManifest claim(String volume, String claim) {
        return volume("{name: %s, persistentVolumeClaim: {claimName: %s}}".formatted(volume, claim));
    }

    PodManifest volume(String volume) {
        return new PodManifest(name, spec, container, mounts, and(volumes, volume));
    }

    PodManifest mount(String mount) {
        return new PodManifest(name, spec, container, and(mounts, mount), volumes);
    }

    PodManifest inSpec(String line) {
        return new PodManifest(name, and(spec, line), container, mounts, volumes);
    }

    PodManifest inContainer(String line) {
        return new PodManifest(name, spec, and(container, line), mounts, volumes);
    }

    PodManifest onNode(String node) {
        return inSpec("nodeSelector: {kubernetes.io/hostname: %s}".formatted(node));
    }

    /** Creates it and leaves open whether it ever runs. */
    void create(Workload workload) {
        workload.namespace().apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  terminationGracePeriodSeconds: 1
                %s
                  containers:
                  - name: main
                    image: %s
                    command: [sh, -c, "sleep 3600"]
                %s
                    volumeMounts:
                %s
                  volumes:
                %s
                """.formatted(
                        name,
                        lines("  ", spec),
                        Images.BUSYBOX,
                        lines("    ", container),
                        lines("    - ", mounts),
                        lines("  - ", volumes)));
    }

    /** Creates it and waits until it runs. */
    void start(Workload workload) {
        create(workload);
        awaitReady(workload);
    }

    void awaitReady(Workload workload) {
        try {
            workload.namespace().kubectl("wait", "--for=condition=Ready", "--timeout=180s", "pod/" + name);
        } catch (WorkbenchException late) {
            throw new WorkbenchException(workload.namespace().kubectl("describe", "pod", name), late);
        }
    }

    private static List<String> and(List<String> some, String one) {
        return Stream.concat(some.stream(), Stream.of(one)).toList();
    }

    private static String lines(String prefix, List<String> lines) {
        return lines.stream().map(line -> prefix + line).collect(Collectors.joining("\n"));
    }
}
