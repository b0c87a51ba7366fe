package dev.stowage.manager.weka;

import dev.stowage.kube.Digest;
import dev.stowage.kube.weka.CsiConfig;
import dev.stowage.kube.weka.WekaClient;
import dev.stowage.kube.weka.WekaCluster;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the driver of a client is called. PersistentVolumes carry the name, so it never depends on anything that may change by itself. */
final class DriverNames {

    private static final String SUFFIX = ".weka.io";
    private static final String USUAL = "csi" + SUFFIX;
    private static final int LONGEST = 63;
    private static final int DIGEST = 8;
    private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");
    private static final Pattern ODD = Pattern.compile("[^A-Za-z0-9-]");
    private static final Pattern DASHES = Pattern.compile("-{2,}");
    private static final Pattern ENDS = Pattern.compile("^-|-$");
    /** What the API server lets a CSIDriver be called. */
    private static final Pattern WHOLE =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private DriverNames() {}

    /**
     * The name, or why there is none.
     *
     * @param name empty when there is none
     */
    record Choice(String name, String problem) {
        private static Choice of(String name) {
            return new Choice(name, "");
        }

        private static Choice refused(String problem) {
            return new Choice("", problem);
        }
    }

    /** @param target the cluster that the client names, if it does */
    static Choice of(WekaClient client, Optional<WekaCluster> target) {
        var own = client.getSpec().csiConfigOrNone();
        var theirs = target.map(cluster -> cluster.getSpec().csiConfigOrNone()).orElse(CsiConfig.NONE);
        for (String whole : new @Nullable String[] {own.csiDriverName(), theirs.csiDriverName()}) {
            if (whole != null && !whole.isEmpty()) {
                return whole(whole);
            }
        }
        if (target.isPresent()) {
            var metadata = target.get().getMetadata();
            return given(theirs.csiGroup())
                    ? group("spec.csiConfig.csiGroup of WekaCluster " + metadata.getName(), theirs.csiGroup())
                    : Choice.of(named(metadata.getName() + "-" + metadata.getNamespace()));
        }
        if (given(own.csiGroup())) {
            return group("spec.csiConfig.csiGroup", own.csiGroup());
        }
        String former = client.getSpec().csiGroup();
        return given(former) ? group("spec.csiGroup", former) : Choice.of(USUAL);
    }

    /** One that cannot be is refused here, before what there is of the driver goes for its sake. */
    private static Choice whole(String name) {
        return name.length() <= LONGEST && WHOLE.matcher(name).matches()
                ? Choice.of(name)
                : Choice.refused(
                        "csiDriverName: '%s' is no name of a driver: up to 63 lower-case letters, digits, dashes and dots, with a letter or a"
                                        .formatted(name)
                                + " digit at both ends and around each dot");
    }

    private static boolean given(@Nullable String text) {
        return text != null && !text.isEmpty();
    }

    private static Choice group(String field, @Nullable String group) {
        String name = named(String.valueOf(group));
        return name.isEmpty()
                ? Choice.refused(
                        "%s: '%s' has no letter and no digit, so no name can be made of it".formatted(field, group))
                : Choice.of(name);
    }

    /** Empty when nothing is left of the text. */
    private static String named(String text) {
        String clean = clean(text);
        if (clean.isEmpty()) {
            return "";
        }
        // The group of the first cluster, which needs none.
        if (clean.equals("csi")) {
            return USUAL;
        }
        return "csi." + bounded(clean, text, LONGEST - "csi.".length() - SUFFIX.length()) + SUFFIX;
    }

    /** Lower case with dashes. */
    static String clean(String text) {
        String dashed = ODD.matcher(HUMP.matcher(text).replaceAll("-")).replaceAll("-");
        return ENDS.matcher(DASHES.matcher(dashed).replaceAll("-"))
                .replaceAll("")
                .toLowerCase(Locale.ROOT);
    }

    /** Two that are cut are still told apart. */
    static String bounded(String clean, String origin, int most) {
        return clean.length() <= most
                ? clean
                : clean.substring(0, most - DIGEST - 1).replaceAll("[-.]+$", "")
                        + "-"
                        + Digest.of(origin).substring(0, DIGEST);
    }
}
