package dev.stowage.manager.driver;

import dev.stowage.kube.csidriver.CsiDriverDeployment.BesidePods;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Spec;
import dev.stowage.kube.csidriver.CsiDriverDeployment.StorageClassTemplate;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is wrong with a deployment, all of it: whoever mends it wants to know everything at once. */
public final class Validation {

    private static final int LONGEST_DRIVER_NAME = 63;
    private static final Pattern DRIVER_NAME =
            Pattern.compile("[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?(\\.[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?)*");
    /** With what is added to it, it is the value of a label. */
    private static final int LONGEST_NAME = 63 - "-controller".length();

    private static final Pattern CLASS_NAME =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");
    private static final Set<String> OURS = Set.of(Pods.SOCKET, Pods.KUBELET, Pods.REGISTRATION, Pods.HOST_PROC);

    private final List<String> problems = new ArrayList<>();

    private Validation() {}

    /**
     * All that is wrong.
     *
     * @param name of the deployment
     * @throws NotUnderstood if it cannot even be told what is
     */
    public static List<String> problems(String name, Spec spec) {
        return NotUnderstood.unless(() -> found(name, spec));
    }

    private static List<String> found(String name, Spec spec) {
        var validation = new Validation();
        if (name.length() > LONGEST_NAME) {
            validation.problems.add("metadata.name: '%s' has more than %d characters".formatted(name, LONGEST_NAME));
        }
        if (spec.unreadable() == null) {
            var gaps = Gaps.of(spec);
            gaps.paths().forEach(path -> validation.problem(path, "is nothing; say what it is to be, or leave it out"));
            validation.check(gaps.without());
        } else {
            validation.problems.add(spec.unreadable());
        }
        return List.copyOf(validation.problems);
    }

    private void check(Spec spec) {
        oneOf("managementState", spec.managementState(), "Managed", "Unmanaged");
        oneOf("nodeUpdateStrategy", spec.nodeUpdateStrategy(), "Rolling", "OnDelete");
        oneOf("adoption", spec.adoption(), "Ask", "Consent");
        driverName(spec.driverName());
        socket(spec.driverSocket());
        if (spec.driverPerNodeTemplate() == null) {
            problem("driverPerNodeTemplate", "is missing; every driver runs on nodes");
        } else {
            template("driverPerNodeTemplate", spec.driverPerNodeTemplate(), Sidecar.ON_NODES);
            privileged("driverPerNodeTemplate", spec.driverPerNodeTemplate());
        }
        if (spec.driverControllerTemplate() != null) {
            template("driverControllerTemplate", spec.driverControllerTemplate(), Sidecar.BESIDE_CONTROLLERS);
        }
        beside(spec.besidePods(), spec.nodeSelector());
        positive("probePeriodSeconds", spec.probePeriodSeconds());
        positive("probeTimeoutSeconds", spec.probeTimeoutSeconds());
        classes(spec.storageClassTemplates() == null ? List.of() : spec.storageClassTemplates());
        if (spec.sidecars() != null) {
            oneOf("sidecars.resizer", spec.sidecars().resizer(), "Auto", "Always", "Never");
            oneOf("sidecars.snapshotter", spec.sidecars().snapshotter(), "Auto", "Always", "Never");
            oneOf("sidecars.groupSnapshots", spec.sidecars().groupSnapshots(), "Auto", "Always", "Never");
            positive("sidecars.timeoutSeconds", spec.sidecars().timeoutSeconds());
        }
    }

    private void beside(@Nullable BesidePods pods, @Nullable Map<String, String> nodes) {
        if (pods == null) {
            return;
        }
        var selector = pods.selector();
        if (selector == null
                || (selector.getMatchLabels() == null
                                || selector.getMatchLabels().isEmpty())
                        && (selector.getMatchExpressions() == null
                                || selector.getMatchExpressions().isEmpty())) {
            problem("besidePods", "has no selector; it would be beside every pod");
        } else if (selector.getMatchExpressions() != null) {
            selector.getMatchExpressions().forEach(this::expression);
        }
        if (nodes != null && !nodes.isEmpty()) {
            problem("nodeSelector", "does not go together with besidePods, whose pods decide on the nodes");
        }
    }

    /** Whether its key and values are such as labels have is known to the API server alone. */
    private void expression(LabelSelectorRequirement expression) {
        String operator = String.valueOf(expression.getOperator());
        if (expression.getKey() == null || !OPERATORS.contains(operator)) {
            problem(
                    "besidePods.selector.matchExpressions",
                    "key '%s' and operator '%s' select nothing; the operator is one of %s"
                            .formatted(expression.getKey(), operator, String.join(", ", OPERATORS)));
        }
    }

    private void driverName(@Nullable String name) {
        if (name == null || name.isEmpty()) {
            problem("driverName", "is missing; it is what the driver calls itself in GetPluginInfo");
        } else if (name.length() > LONGEST_DRIVER_NAME
                || !DRIVER_NAME.matcher(name).matches()) {
            problem(
                    "driverName",
                    "'" + name
                            + "' is no name of a driver: up to 63 letters, digits, dashes and dots, with a letter or a digit at both ends and"
                            + " around each dot");
        }
    }

    private void socket(@Nullable String path) {
        if (path == null || path.isEmpty()) {
            problem("driverSocket", "is missing; it is the path of the driver's socket in the first container");
        } else if (!path.startsWith("/") || path.endsWith("/") || path.lastIndexOf('/') == 0 || path.contains("/../")) {
            problem("driverSocket", "'" + path + "' is no absolute path of a file in a directory of its own");
        }
    }

    private void template(String field, PodTemplateSpec template, Set<Sidecar> added) {
        var spec = template.getSpec();
        if (spec == null || spec.getContainers() == null || spec.getContainers().isEmpty()) {
            problem(field, "has no container; the first one has to be the driver");
            return;
        }
        Stream.concat(Stream.ofNullable(spec.getInitContainers()), Stream.of(spec.getContainers()))
                .flatMap(List::stream)
                .map(container -> container.getName() == null ? "" : container.getName())
                .filter(name -> name.isEmpty() || taken(name, added))
                .forEach(name -> problem(
                        field,
                        name.isEmpty() ? "has a container without a name" : "uses the name " + name + " of a sidecar"));
        Stream.ofNullable(spec.getVolumes())
                .flatMap(List::stream)
                .map(volume -> String.valueOf(volume.getName()))
                .filter(OURS::contains)
                .forEach(name -> problem(field, "uses the name " + name + " of a volume that is added to it"));
    }

    /** Kubernetes lets nobody else make mounts that are seen outside of the container. */
    private void privileged(String field, PodTemplateSpec template) {
        var containers = template.getSpec() == null ? null : template.getSpec().getContainers();
        if (containers == null || containers.isEmpty()) {
            return;
        }
        var context = containers.getFirst().getSecurityContext();
        if (context == null || !Boolean.TRUE.equals(context.getPrivileged())) {
            problem(
                    field,
                    "its first container is not privileged; what the driver mounts would not be seen by the kubelet");
        }
    }

    private static boolean taken(String name, Set<Sidecar> added) {
        return added.stream().anyMatch(sidecar -> sidecar.container().equals(name));
    }

    private void classes(List<StorageClassTemplate> templates) {
        var names = new HashSet<String>();
        for (int index = 0; index < templates.size(); index++) {
            var metadata = templates.get(index).metadata();
            String field = "storageClassTemplates[" + index + "]";
            String name = metadata == null || metadata.getName() == null ? "" : metadata.getName();
            if (!CLASS_NAME.matcher(name).matches()) {
                problem(field, "'" + name + "' is no name of a StorageClass; set metadata.name");
            } else if (!names.add(name)) {
                problem(field, "the name " + name + " is used twice");
            }
            oneOf(field + ".reclaimPolicy", templates.get(index).reclaimPolicy(), "Delete", "Retain");
            oneOf(
                    field + ".volumeBindingMode",
                    templates.get(index).volumeBindingMode(),
                    "Immediate",
                    "WaitForFirstConsumer");
        }
        long defaults = templates.stream()
                .filter(template -> Boolean.TRUE.equals(template.isDefault()))
                .count();
        if (defaults > 1) {
            problem("storageClassTemplates", defaults + " of them are the default; only one can be");
        }
    }

    private void oneOf(String field, @Nullable String value, String... allowed) {
        if (value != null && !value.isEmpty() && !List.of(allowed).contains(value)) {
            problem(field, "'" + value + "' is none of " + String.join(", ", allowed));
        }
    }

    private void positive(String field, @Nullable Integer value) {
        if (value != null && value <= 0) {
            problem(field, value + " is not above 0");
        }
    }

    private void problem(String field, String what) {
        problems.add("spec." + field + ": " + what);
    }
}
