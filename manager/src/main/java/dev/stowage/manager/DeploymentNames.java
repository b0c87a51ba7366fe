package dev.stowage.manager;

import dev.stowage.kube.csidriver.CsiDriverDeployment;
import dev.stowage.kube.csidriver.CsiDriverDeployment.Adopted;
import dev.stowage.manager.driver.Naming;
import dev.stowage.manager.driver.Part;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the objects of a deployment are called, and whose they are. */
public final class DeploymentNames implements Naming {

    private final CsiDriverDeployment deployment;

    public DeploymentNames(CsiDriverDeployment deployment) {
        this.deployment = deployment;
    }

    private String own() {
        return deployment.getMetadata().getName();
    }

    @Override
    public String namespace() {
        return deployment.getMetadata().getNamespace();
    }

    @Override
    public String node() {
        return adopted(Adopted::daemonSet).orElse(own() + "-node");
    }

    @Override
    public String controller() {
        return adopted(Adopted::deployment).orElse(own() + "-controller");
    }

    @Override
    public String account() {
        return adopted(Adopted::serviceAccount).orElse(own());
    }

    private Optional<String> adopted(Function<Adopted, @Nullable String> which) {
        return Optional.ofNullable(deployment.getSpec().adopt()).map(which).filter(name -> !name.isEmpty());
    }

    @Override
    public String clusterWide() {
        return "csidriverdeployment-" + deployment.getMetadata().getUid();
    }

    @Override
    public String leaderElection() {
        return "leader-election-" + own();
    }

    @Override
    public Map<String, String> labels(Part part) {
        return Map.of(CsiDriverDeployment.OWNER_NAMESPACE, namespace(), CsiDriverDeployment.OWNER_NAME, own());
    }

    @Override
    public Map<String, String> selector(Part part) {
        return switch (part) {
            case NODE -> Map.of(CsiDriverDeployment.DAEMON_SET, node());
            case CONTROLLER -> Map.of(CsiDriverDeployment.DEPLOYMENT, controller());
            case ACCESS, DRIVER, STORAGE_CLASS -> throw new IllegalArgumentException(part + " has no pods");
        };
    }

    /**
     * Of an object beside the deployment. The deployment is not its owner in Kubernetes' sense: Kubernetes would remove it when the
     * deployment is deleted in the foreground, also while the manager holds the deletion up because volumes are attached.
     */
    @Override
    public ObjectMeta beside(Part part, String name) {
        return new ObjectMetaBuilder(clusterWide(part, name))
                .withNamespace(namespace())
                .build();
    }

    @Override
    public ObjectMeta clusterWide(Part part, String name) {
        return new ObjectMetaBuilder().withName(name).withLabels(labels(part)).build();
    }
}
