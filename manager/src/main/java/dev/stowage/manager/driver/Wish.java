package dev.stowage.manager.driver;

import dev.stowage.kube.csidriver.CsiDriverDeployment.Sidecars;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Spec;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a deployment says about a sidecar, or about something that one of them does. */
enum Wish {
    /** What the driver can do decides. It is also what is meant where nothing is said. */
    AUTO,
    ALWAYS,
    NEVER;

    static Wish of(Spec spec, Function<Sidecars, @Nullable String> which) {
        String said = spec.sidecars() == null ? null : which.apply(spec.sidecars());
        return switch (said == null ? "" : said) {
            case "Always" -> ALWAYS;
            case "Never" -> NEVER;
            default -> AUTO;
        };
    }
}
