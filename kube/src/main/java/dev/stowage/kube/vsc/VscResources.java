package dev.stowage.kube.vsc;

/** What the resources of this group have in common. */
public final class VscResources {

    public static final String GROUP = "storage.zadara.com";
    public static final String VERSION = "v1";

    /** On a resource for which an array may hold something, or on which other resources depend. */
    public static final String FINALIZER = GROUP + "/vsc-delete-protection";

    /** On a VPSA whose other volumes shall be kept in step as external volumes; any value that is not empty. */
    public static final String MANAGE_EXTERNAL_VOLUMES = GROUP + "/vsc-manage-external-volumes";

    /** On a VSCNode: the public key to which what only this node may know is sealed, in base64. */
    public static final String NODE_KEY = "storage.stowage.dev/node-key";

    /** The priority of a printer column that only {@code -o wide} shows. */
    static final int WIDE = 1;

    private VscResources() {}
}
