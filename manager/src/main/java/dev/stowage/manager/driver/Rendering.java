package dev.stowage.manager.driver;

import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Spec;
import dev.stowage.kube.csidriver.CsiDriverDeployment.StorageClassTemplate;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.storage.CSIDriver;
import io.fabric8.kubernetes.api.model.storage.CSIDriverBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** All objects that a deployment is to have. */
public final class Rendering {

    private static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";
    private static final int CONTROLLER_PROBE_PERIOD = 60;

    private final Spec spec;
    private final Naming names;
    private final Habits habits;
    private final RenderingSettings settings;
    private final Optional<Report> report;
    private final Volumes volumes;
    private final Sizing sizing;
    private final SidecarPlan plan;

    /**
     * What is to be rendered.
     *
     * @param spec without problems, see {@link Validation}
     * @param report what the driver told, when it runs
     * @param volumes that it has
     */
    public Rendering(
            Spec spec,
            Naming names,
            Habits habits,
            RenderingSettings settings,
            Optional<Report> report,
            Volumes volumes) {
        this.spec = spec;
        this.names = names;
        this.habits = habits;
        this.settings = settings;
        this.report = report;
        this.volumes = volumes;
        this.sizing = Sizing.of(volumes.count());
        this.plan = new SidecarPlan(spec, habits, report, sizing);
    }

    /**
     * In the order in which they are to be made. A driver that follows the pods of a client has nothing here that runs on nodes, see
     * {@link #nodePod}.
     *
     * @throws NotUnderstood if no such objects can be thought of, or no such pod
     */
    public List<HasMetadata> objects() {
        return NotUnderstood.unless(this::all);
    }

    private List<HasMetadata> all() {
        var objects = new ArrayList<HasMetadata>();
        if (needsAccount()) {
            objects.addAll(new Access(names, plan.rules(), ClassSecrets.of(classes(), volumes.secrets())).objects());
        }
        objects.add(driverObject());
        classes().forEach(template -> objects.add(storageClass(template)));
        // Made in any case, so that one that makes no sense is known before anything else is made.
        var pod = nodePod();
        if (spec.besidePods() == null) {
            objects.add(daemonSet(pod));
        }
        controller().ifPresent(objects::add);
        return objects;
    }

    private List<StorageClassTemplate> classes() {
        return Objects.requireNonNullElse(spec.storageClassTemplates(), List.of());
    }

    private boolean needsAccount() {
        return !Pods.namesAccount(nodeTemplate())
                || spec.driverControllerTemplate() != null && !Pods.namesAccount(spec.driverControllerTemplate());
    }

    private PodTemplateSpec nodeTemplate() {
        return Objects.requireNonNull(spec.driverPerNodeTemplate());
    }

    private String driverName() {
        return Objects.requireNonNull(spec.driverName());
    }

    /** The pod of a node. */
    public PodTemplateSpec nodePod() {
        String kubelet = settings.kubeletDirectory();
        String directory = kubelet + "/" + habits.directoryOf(driverName());
        // The sidecars of a node know no other volumes than its own.
        var pods = new Pods(spec, nodeTemplate(), habits, settings.images(), Sizing.of(0));
        pods.shareSocket(new VolumeBuilder()
                        .withName(Pods.SOCKET)
                        .withNewHostPath(directory + "/", "DirectoryOrCreate")
                        .build())
                .volume(new VolumeBuilder()
                        .withName(Pods.KUBELET)
                        .withNewHostPath(kubelet + "/", "Directory")
                        .build())
                .mount(new VolumeMountBuilder()
                        .withName(Pods.KUBELET)
                        .withMountPath(kubelet + "/")
                        .withMountPropagation("Bidirectional")
                        .build())
                .registered(kubelet);
        boolean holdsMounts = Boolean.TRUE.equals(spec.holdsMounts());
        // A probe that fails would restart the driver, and with it everything that is mounted.
        if (spec.probePeriodSeconds() != null && !holdsMounts) {
            pods.probed(spec.probePeriodSeconds());
        }
        var template = pods.build(names.podLabels(Part.NODE), names.account());
        if (spec.nodeSelector() != null && !spec.nodeSelector().isEmpty()) {
            template = new PodTemplateSpecBuilder(template)
                    .editSpec()
                    .addToNodeSelector(spec.nodeSelector())
                    .endSpec()
                    .build();
        }
        if (holdsMounts) {
            template = new PodTemplateSpecBuilder(template)
                    .editSpec()
                    .addNewToleration()
                    .withKey(CsiDriverDeployment.RESTARTING)
                    .withOperator("Exists")
                    .endToleration()
                    .endSpec()
                    .build();
        }
        return template;
    }

    private DaemonSet daemonSet(PodTemplateSpec pod) {
        return new DaemonSetBuilder()
                .withMetadata(names.beside(Part.NODE, names.node()))
                .withNewSpec()
                .withNewSelector()
                .withMatchLabels(names.selector(Part.NODE))
                .endSelector()
                .withUpdateStrategy(Updates.ofNodes(spec))
                .withTemplate(pod)
                .endSpec()
                .build();
    }

    private Optional<Deployment> controller() {
        var wish = spec.driverControllerTemplate();
        if (wish == null) {
            return Optional.empty();
        }
        var pods = new Pods(spec, wish, habits, settings.images(), sizing);
        pods.shareSocket(new VolumeBuilder()
                .withName(Pods.SOCKET)
                .withNewEmptyDir()
                .endEmptyDir()
                .build());
        for (var sidecar : plan.besideController()) {
            if (sidecar != Sidecar.LIVENESS) {
                pods.sidecar(sidecar, plan.flags(sidecar));
            }
        }
        pods.probedAndAwaited(Objects.requireNonNullElse(spec.probePeriodSeconds(), CONTROLLER_PROBE_PERIOD));
        var template = pods.build(names.podLabels(Part.CONTROLLER), names.account());
        if (wish.getSpec().getNodeSelector() == null
                || wish.getSpec().getNodeSelector().isEmpty()) {
            template = new PodTemplateSpecBuilder(template)
                    .editSpec()
                    .withNodeSelector(settings.infrastructureNodes())
                    .endSpec()
                    .build();
        }
        return Optional.of(new DeploymentBuilder()
                .withMetadata(names.beside(Part.CONTROLLER, names.controller()))
                .withNewSpec()
                .withReplicas(settings.controllerReplicas())
                .withNewSelector()
                .withMatchLabels(names.selector(Part.CONTROLLER))
                .endSelector()
                .withStrategy(Updates.ofController(wish))
                .withTemplate(template)
                .endSpec()
                .build());
    }

    private CSIDriver driverObject() {
        var wish = spec.csiDriver();
        Boolean attach = wish == null ? null : wish.attachRequired();
        var builder = new CSIDriverBuilder()
                .withMetadata(names.clusterWide(Part.DRIVER, driverName()))
                .withNewSpec()
                .withAttachRequired(
                        attach != null
                                ? attach
                                : report.map(told -> told.can("PUBLISH_UNPUBLISH_VOLUME"))
                                        .orElse(true));
        if (wish != null) {
            builder.withPodInfoOnMount(wish.podInfoOnMount())
                    .withFsGroupPolicy(wish.fsGroupPolicy())
                    .withStorageCapacity(wish.storageCapacity())
                    .withRequiresRepublish(wish.requiresRepublish())
                    .withSeLinuxMount(wish.seLinuxMount())
                    .withTokenRequests(Objects.requireNonNullElse(wish.tokenRequests(), List.of()));
            if (wish.volumeLifecycleModes() != null) {
                builder.withVolumeLifecycleModes(wish.volumeLifecycleModes());
            }
        }
        return builder.endSpec().build();
    }

    private StorageClass storageClass(StorageClassTemplate template) {
        var given = Objects.requireNonNull(template.metadata());
        var metadata = new ObjectMetaBuilder(names.clusterWide(Part.STORAGE_CLASS, given.getName()))
                .withLabels(given.getLabels())
                .addToLabels(names.labels(Part.STORAGE_CLASS))
                .addToAnnotations(given.getAnnotations());
        metadata.addToAnnotations(DEFAULT_CLASS, String.valueOf(Boolean.TRUE.equals(template.isDefault())));
        return new StorageClassBuilder()
                .withMetadata(metadata.build())
                .withProvisioner(driverName())
                .withParameters(template.parameters())
                .withReclaimPolicy(template.reclaimPolicy())
                .withMountOptions(template.mountOptions())
                .withAllowVolumeExpansion(template.allowVolumeExpansion())
                .withVolumeBindingMode(template.volumeBindingMode())
                .withAllowedTopologies(template.allowedTopologies())
                .build();
    }
}
