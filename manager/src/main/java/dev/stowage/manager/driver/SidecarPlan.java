package dev.stowage.manager.driver;

import dev.stowage.kube.csidriver.CsiDriverDeployment.Sidecars;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Spec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which sidecars a driver has, what they are told, and what they have to be allowed. */
record SidecarPlan(Spec spec, Habits habits, Optional<Report> report, Sizing sizing) {

    private static final int TIMEOUT_SECONDS = 60;

    /** Those that are added to the controller. Every driver gets the first two, and none that its template brings along. */
    Set<Sidecar> besideController() {
        var template = spec.driverControllerTemplate();
        if (template == null) {
            return Set.of();
        }
        var wanted = EnumSet.of(Sidecar.PROVISIONER, Sidecar.ATTACHER, Sidecar.LIVENESS);
        // The stock resizer ends at once beside a driver that can do neither, also beside one that can change volumes
        // otherwise.
        if (wants(Sidecars::resizer, "EXPAND_VOLUME", "NODE_EXPAND_VOLUME")) {
            wanted.add(Sidecar.RESIZER);
        }
        boolean never = Wish.of(spec, Sidecars::snapshotter) == Wish.NEVER;
        if (!never && (wants(Sidecars::snapshotter, "CREATE_DELETE_SNAPSHOT") || groupSnapshots())) {
            wanted.add(Sidecar.SNAPSHOTTER);
        }
        // By the probe that is added it is known whether the controller is ready.
        wanted.removeIf(sidecar -> sidecar != Sidecar.LIVENESS && sidecar.isIn(template));
        return wanted;
    }

    private boolean groupSnapshots() {
        return wants(Sidecars::groupSnapshots, GroupSnapshots.CAPABILITY);
    }

    /** Whether volumes can be changed by their class while they are in use, which the stock sidecars have to be told. */
    private boolean changesVolumes() {
        return can("MODIFY_VOLUME");
    }

    /** Whether the scheduler is to know how much room there is. */
    private boolean tellsCapacity() {
        return spec.csiDriver() != null && Boolean.TRUE.equals(spec.csiDriver().storageCapacity());
    }

    /** What is wanted is there; where nothing is said, it is if the driver has one of these capabilities. */
    private boolean wants(Function<Sidecars, @Nullable String> which, String... capabilities) {
        return switch (Wish.of(spec, which)) {
            case ALWAYS -> true;
            case NEVER -> false;
            case AUTO -> Stream.of(capabilities).anyMatch(this::can);
        };
    }

    private boolean can(String capability) {
        return report.filter(told -> told.can(capability)).isPresent();
    }

    /** How long they wait for the driver. By themselves they would ask again after ten seconds, also a driver that is just slow. */
    private int timeout() {
        Integer wish = spec.sidecars() == null ? null : spec.sidecars().timeoutSeconds();
        return wish == null ? TIMEOUT_SECONDS : wish;
    }

    List<String> flags(Sidecar sidecar) {
        var flags = new ArrayList<>(List.of(
                "--timeout=" + timeout() + "s",
                "--leader-election",
                "--kube-api-qps=" + sizing.rate(),
                "--kube-api-burst=" + 2 * sizing.rate(),
                (sidecar == Sidecar.RESIZER ? "--workers=" : "--worker-threads=")
                        + habits.workers().orElse(sizing.workers())));
        switch (sidecar) {
            case PROVISIONER -> {
                flags.add("--extra-create-metadata");
                if (changesVolumes()) {
                    flags.add("--feature-gates=VolumeAttributesClass=true");
                }
                if (tellsCapacity()) {
                    flags.add("--enable-capacity");
                    // The Deployment: what was told goes when the driver goes, and not when its pod does.
                    flags.add("--capacity-ownerref-level=2");
                }
            }
            case RESIZER -> {
                if (changesVolumes()) {
                    flags.add("--feature-gates=VolumeAttributesClass=true");
                }
            }
            case SNAPSHOTTER -> {
                if (groupSnapshots()) {
                    flags.add("--feature-gates=CSIVolumeGroupSnapshot=true");
                }
            }
            case ATTACHER -> {}
            case REGISTRAR, LIVENESS -> throw new IllegalArgumentException(sidecar + " is added elsewhere");
        }
        flags.addAll(habits.flags(sidecar));
        return flags;
    }

    /**
     * What those sidecars need together that are in pods of the account that is made, also those that a template brings along: a driver
     * whose state is in one process has them there. Pods whose template names an account need nothing of it.
     */
    List<PolicyRule> rules() {
        var rules = new ArrayList<PolicyRule>();
        Sidecar.BESIDE_CONTROLLERS.stream()
                .filter(this::needsTheAccount)
                .forEach(sidecar -> rules.addAll(sidecar.rules()));
        if (groupSnapshots() && needsTheAccount(Sidecar.SNAPSHOTTER)) {
            rules.addAll(Sidecar.rulesOfGroups());
        }
        if (tellsCapacity() && needsTheAccount(Sidecar.PROVISIONER)) {
            rules.addAll(Sidecar.rulesOfCapacity());
        }
        return rules;
    }

    private boolean needsTheAccount(Sidecar sidecar) {
        PodTemplateSpec node = Objects.requireNonNull(spec.driverPerNodeTemplate());
        PodTemplateSpec controller = spec.driverControllerTemplate();
        return !Pods.namesAccount(node) && sidecar.isIn(node)
                || controller != null
                        && !Pods.namesAccount(controller)
                        && (besideController().contains(sidecar) || sidecar.isIn(controller));
    }
}
