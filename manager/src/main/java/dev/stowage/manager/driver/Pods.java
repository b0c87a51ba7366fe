package dev.stowage.manager.driver;

import dev.stowage.kube.csidriver.CsiDriverDeployment.ContainerImages;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Spec;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A template with what a driver needs around it. The template's own parts stay as they are. */
final class Pods {

    static final String SOCKET = "csi-driver";
    static final String KUBELET = "kubelet-dir";
    static final String REGISTRATION = "registration-dir";
    /** Where sidecars see the socket's directory. */
    static final String SIDECAR_DIRECTORY = "/csi";

    /** Not a name that a driver would give to the same volume of its own. */
    static final String HOST_PROC = "csi-host-proc";

    private static final String HOST_PROC_DIRECTORY = "/host/proc";
    private static final int FAILURES = 3;
    private static final int PROBE_TIMEOUT = 30;
    private static final int READINESS_PERIOD = 5;

    private final Spec spec;
    private final SidecarImages images;
    private final Sizing sizing;
    private final PodTemplateSpec template;
    private final Habits habits;
    private final List<Container> sidecars = new ArrayList<>();
    private final List<Volume> volumes = new ArrayList<>();
    private final List<VolumeMount> mounts = new ArrayList<>();
    private Optional<Probe> probe = Optional.empty();

    Pods(Spec spec, PodTemplateSpec template, Habits habits, SidecarImages images, Sizing sizing) {
        this.spec = spec;
        this.template = template;
        this.habits = habits;
        this.images = images;
        this.sizing = sizing;
    }

    String socketFile() {
        String path = socketPath();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private String socketPath() {
        return Objects.requireNonNull(spec.driverSocket());
    }

    /** Makes the directory of the driver's socket a volume that the sidecars see, too. */
    Pods shareSocket(Volume directory) {
        volumes.add(directory);
        String path = socketPath();
        mounts.add(new VolumeMountBuilder()
                .withName(SOCKET)
                .withMountPath(path.substring(0, path.lastIndexOf('/')))
                .build());
        return this;
    }

    Pods volume(Volume volume) {
        volumes.add(volume);
        return this;
    }

    /** Mounts a volume into the driver. */
    Pods mount(VolumeMount mount) {
        mounts.add(mount);
        return this;
    }

    /** Adds a sidecar with these flags, beside the one that says where the driver is. */
    Pods sidecar(Sidecar sidecar, List<String> flags) {
        return sidecar(sidecar, flags, List.of(), null);
    }

    private SidecarImages.Choice choice(Sidecar sidecar) {
        return images.choose(sidecar, Objects.requireNonNullElse(spec.containerImages(), ContainerImages.DEFAULTS));
    }

    private Pods sidecar(Sidecar sidecar, List<String> flags, List<VolumeMount> more, @Nullable Probe readiness) {
        var choice = choice(sidecar);
        var arguments = new ArrayList<>(choice.command());
        arguments.add("--csi-address=" + SIDECAR_DIRECTORY + "/" + socketFile());
        arguments.addAll(flags);
        var seen = new ArrayList<VolumeMount>();
        seen.add(new VolumeMountBuilder()
                .withName(SOCKET)
                .withMountPath(SIDECAR_DIRECTORY)
                .build());
        seen.addAll(more);
        sidecars.add(new ContainerBuilder()
                .withName(sidecar.container())
                .withImage(choice.image())
                .withArgs(arguments)
                .withEnv(
                        fromPod("POD_NAMESPACE", "metadata.namespace"),
                        fromPod("NAMESPACE", "metadata.namespace"),
                        fromPod("POD_NAME", "metadata.name"))
                .withSecurityContext(first().getSecurityContext())
                .withNewResources()
                .withRequests(Map.of("memory", sizing.memory()))
                .endResources()
                .withVolumeMounts(seen)
                .withReadinessProbe(readiness)
                .build());
        return this;
    }

    private static EnvVar fromPod(String name, String field) {
        return new EnvVarBuilder()
                .withName(name)
                .withNewValueFrom()
                .withNewFieldRef()
                .withApiVersion("v1")
                .withFieldPath(field)
                .endFieldRef()
                .endValueFrom()
                .build();
    }

    /**
     * Has the driver made known to the kubelet, whose directory is given. The pod is ready when that has been done and the driver
     * answers, so that an update goes on to the next node only then.
     */
    Pods registered(String kubelet) {
        volume(new VolumeBuilder()
                .withName(REGISTRATION)
                .withNewHostPath(kubelet + "/plugins_registry/", "DirectoryOrCreate")
                .build());
        int port = ports().registrar();
        var flags = new ArrayList<>(List.of(
                "--kubelet-registration-path=" + kubelet + "/" + habits.directoryOf(driverName()) + "/" + socketFile(),
                "--http-endpoint=:" + port));
        var seen = new ArrayList<VolumeMount>();
        seen.add(new VolumeMountBuilder()
                .withName(REGISTRATION)
                .withMountPath("/registration")
                .build());
        if (choice(Sidecar.REGISTRAR).stock()) {
            // It does not ask the driver, and only tells whether its own socket is there.
            return sidecar(Sidecar.REGISTRAR, flags, seen, readiness("/healthz", port));
        }
        flags.add("--timeout=" + probeTimeout() + "s");
        flags.add("--host-proc=" + HOST_PROC_DIRECTORY);
        flags.add("--kubelet-directory=" + kubelet);
        volume(new VolumeBuilder()
                .withName(HOST_PROC)
                .withNewHostPath("/proc", "Directory")
                .build());
        seen.add(new VolumeMountBuilder()
                .withName(HOST_PROC)
                .withMountPath(HOST_PROC_DIRECTORY)
                .withReadOnly(true)
                .build());
        return sidecar(Sidecar.REGISTRAR, flags, seen, readiness("/readyz", port));
    }

    private String driverName() {
        return Objects.requireNonNull(spec.driverName());
    }

    private Ports ports() {
        return new Ports(template, driverName(), habits);
    }

    private int probeTimeout() {
        return Objects.requireNonNullElse(spec.probeTimeoutSeconds(), PROBE_TIMEOUT);
    }

    private Probe readiness(String path, int port) {
        return probe(path, port, READINESS_PERIOD);
    }

    private Probe probe(String path, int port, int period) {
        return new ProbeBuilder()
                .withNewHttpGet()
                .withPath(path)
                .withNewPort(port)
                .endHttpGet()
                .withFailureThreshold(FAILURES)
                .withPeriodSeconds(period)
                .withTimeoutSeconds(probeTimeout())
                .build();
    }

    /** Has the driver on a node asked for its health, unless the template has a probe already. Its registrar asks whether it is ready. */
    Pods probed(int period) {
        return probed(ports().nodeHealth(), period, null);
    }

    /** Has the controller asked for its health. One that does not answer is never ready, so that the one before it stays. */
    Pods probedAndAwaited(int period) {
        int port = ports().controllerHealth();
        return probed(port, period, readiness(alive(), port));
    }

    /**
     * Where to ask whether the driver answers. A controller that waits until another one gives way says that it is not ready: it must
     * neither be restarted for that, nor waited for by the one that is to give way. The stock probe does not tell the difference.
     */
    private String alive() {
        return choice(Sidecar.LIVENESS).stock() ? "/healthz" : "/livez";
    }

    private Pods probed(int port, int period, @Nullable Probe readiness) {
        sidecar(
                Sidecar.LIVENESS,
                List.of("--probe-timeout=" + probeTimeout() + "s", "--health-port=" + port),
                List.of(),
                readiness);
        if (first().getLivenessProbe() == null) {
            probe = Optional.of(probe(alive(), port, period));
        }
        return this;
    }

    private Container first() {
        return template.getSpec().getContainers().getFirst();
    }

    PodTemplateSpec build(Map<String, String> labels, String account) {
        var driver = new ContainerBuilder(first()).addAllToVolumeMounts(mounts);
        probe.ifPresent(driver::withLivenessProbe);
        var containers = new ArrayList<>(template.getSpec().getContainers());
        containers.set(0, driver.build());
        containers.addAll(sidecars);
        var pod = new PodSpecBuilder(template.getSpec())
                .withContainers(containers)
                .addAllToVolumes(volumes);
        if (!namesAccount(template)) {
            pod.withServiceAccountName(account);
        }
        return new PodTemplateSpecBuilder(template)
                .editOrNewMetadata()
                .addToLabels(labels)
                .endMetadata()
                .withSpec(pod.build())
                .build();
    }

    /** By the field of now, or by the one of before, which Kubernetes still takes. */
    static boolean namesAccount(PodTemplateSpec template) {
        return Stream.of(
                        template.getSpec().getServiceAccountName(),
                        template.getSpec().getServiceAccount())
                .anyMatch(account -> account != null && !account.isEmpty());
    }
}
