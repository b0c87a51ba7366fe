package dev.stowage.sidecar.attacher;

/** Names that are written to objects. Those of the stock attacher, so that one can go on where the other stopped. */
record Names(String driver) {

    /** The id by which the driver knows the node that the volume is attached to, or was about to be. */
    static final String NODE_ID = "csi.alpha.kubernetes.io/node-id";

    /** The volume, so that it can be detached when its PersistentVolume was taken away by force. */
    static final String VOLUME = "attacher.stowage.dev/volume";

    /** Where the secret for it is, as {@code namespace/name}. */
    static final String SECRET = "attacher.stowage.dev/secret";

    /** Keeps an object until the volume is detached. */
    String finalizer() {
        return "external-attacher/" + sanitized(driver);
    }

    String lease() {
        return sanitized("external-attacher-leader-" + driver);
    }

    static String sanitized(String name) {
        String plain = name.replaceAll("[^a-zA-Z0-9-]", "-");
        return plain.endsWith("-") ? plain + "X" : plain;
    }
}
