package dev.stowage.manager.apply;

import dev.stowage.kube.csidriver.CsiDriverDeployment.Condition;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The conditions of a status. The time of one changes with its value, and with nothing else. */
public final class Conditions {

    public static final String AVAILABLE = "Available";
    public static final String SYNC_SUCCESSFUL = "SyncSuccessful";
    public static final String PROGRESSING = "Progressing";

    private final List<Condition> before;
    private final List<Condition> now = new ArrayList<>();

    public Conditions(@Nullable List<Condition> before) {
        this.before = before == null ? List.of() : before;
    }

    /** @param value True, False or Unknown */
    public Conditions set(String type, String value, String reason, String message) {
        String since = find(before, type)
                .filter(former -> former.status().equals(value))
                .map(Condition::lastTransitionTime)
                .orElseGet(() -> Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        now.add(new Condition(type, value, reason, message, since));
        return this;
    }

    /** Those that nobody has set are as they were. */
    public List<Condition> all() {
        var all = new ArrayList<>(now);
        before.stream().filter(former -> find(now, former.type()).isEmpty()).forEach(all::add);
        return all;
    }

    private static Optional<Condition> find(List<Condition> among, String type) {
        return among.stream().filter(each -> each.type().equals(type)).findFirst();
    }
}
