package dev.stowage.clustertests.claim;

/** A claim as a user writes it. */
record ClaimManifest(String name, String size, String storageClass, String accessMode, String more) {

    static ClaimManifest of(String name, String size) {
        return new ClaimManifest(name, size, "stowage", "ReadWriteOnce", "");
    }

    ClaimManifest storageClass(String other) {
        return new ClaimManifest(name, size, other, accessMode, more);
    }

    ClaimManifest accessMode(String other) {
        return new ClaimManifest(name, size, storageClass, other, more);
    }

    /** @param lines further lines of the spec, such as where the data comes from */
    ClaimManifest with(String lines) {
        return new ClaimManifest(name, size, storageClass, accessMode, lines);
    }

    ClaimManifest fromSnapshot(String snapshot) {
        return with(
                "dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: %s}".formatted(snapshot));
    }

    void create(Workload workload) {
        workload.namespace().apply("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: %s, labels: {claim: %1$s}}
                spec:
                  storageClassName: "%s"
                  accessModes: [%s]
                  resources: {requests: {storage: %s}}
                %s
                """.formatted(name, storageClass, accessMode, size, more.indent(2)));
    }
}
