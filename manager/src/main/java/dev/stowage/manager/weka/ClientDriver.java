package dev.stowage.manager.weka;

import dev.stowage.kube.Digest;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Spec;
import dev.stowage.kube.weka.CsiConfig;
import dev.stowage.kube.weka.WekaClient;
import dev.stowage.manager.driver.NotUnderstood;
import dev.stowage.manager.driver.Rendering;
import dev.stowage.manager.driver.RenderingSettings;
import dev.stowage.manager.driver.Report;
import dev.stowage.manager.driver.Validation;
import dev.stowage.manager.driver.Volumes;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Map;

/**
 * The driver of a client, ready to be made.
 *
 * @param hash of all that it is made of
 */
record ClientDriver(Spec spec, WekaNames names, Rendering rendering, String hash) {

    /**
     * What the values make of a client.
     *
     * @param owner the one client that answers for it
     * @param config what is said of its driver
     * @param volumes that it has
     * @throws NotUnderstood if no such driver can be thought of
     */
    static ClientDriver of(
            String driver,
            WekaClient owner,
            CsiConfig config,
            Values values,
            RenderingSettings settings,
            Volumes volumes,
            KubernetesSerialization serialization) {
        return NotUnderstood.unless(() -> read(driver, owner, config, values, settings, volumes, serialization));
    }

    private static ClientDriver read(
            String driver,
            WekaClient owner,
            CsiConfig config,
            Values values,
            RenderingSettings settings,
            Volumes volumes,
            KubernetesSerialization serialization) {
        var spec = new DriverSpecs(values).of(driver, owner, config);
        String hash = Digest.ofTree(serialization.convertValue(
                Map.of("spec", spec, "namespace", values.namespace(), "replicas", values.controllerReplicas()),
                Map.class));
        var names = new WekaNames(driver, values.namespace(), owner, hash);
        var rendering = new Rendering(
                spec,
                names,
                DriverSpecs.HABITS,
                new RenderingSettings(
                        settings.images(),
                        settings.kubeletDirectory(),
                        settings.infrastructureNodes(),
                        values.controllerReplicas()),
                Report.NONE,
                volumes);
        return new ClientDriver(spec, names, rendering, hash);
    }

    /** What is wrong with it, in the words of those who wrote it. */
    List<String> problems() {
        return Validation.problems("", spec).stream()
                .map(problem -> problem.replace("spec.driverPerNodeTemplate", "csi.nodeTemplate")
                        .replace("spec.driverControllerTemplate", "csi.controllerTemplate")
                        .replace("spec.driverName", "spec.csiConfig.csiDriverName")
                        .replace("spec.storageClassTemplates", "csi.filesystemName"))
                .toList();
    }
}
