package dev.stowage.backend.vsc.central.resource;

import dev.stowage.core.id.RequestName;
import dev.stowage.kube.Digest;
import java.util.regex.Pattern;

/** Names of resources. They are those of the requests wherever Kubernetes takes them, so that people find one by the other. */
public final class Names {

    private static final Pattern RESOURCE =
            Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");

    private Names() {}

    public static String volume(RequestName name) {
        return fit("volume-", name);
    }

    public static String snapshot(RequestName name) {
        return fit("snapshot-", name);
    }

    public static String attachment(String volume, String node) {
        return volume + "." + node;
    }

    private static String fit(String prefix, RequestName name) {
        return RESOURCE.matcher(name.value()).matches() ? name.value() : prefix + Digest.of(name.value());
    }
}
