package dev.stowage.workbench.cluster;

import dev.stowage.workbench.process.Daemons;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** etcd, the API server, and the controllers beside it, in the cluster's network. */
public final class ControlPlane {
    static final String ETCD = "etcd";
    public static final String API_SERVER = "kube-apiserver";
    static final String CONTROLLER_MANAGER = "kube-controller-manager";
    static final String SCHEDULER = "kube-scheduler";
    static final String SNAPSHOT_CONTROLLER = "snapshot-controller";
    static final String SNAPSHOT_CONVERSION = "snapshot-conversion";
    static final List<String> PARTS =
            List.of(ETCD, API_SERVER, CONTROLLER_MANAGER, SCHEDULER, SNAPSHOT_CONTROLLER, SNAPSHOT_CONVERSION);

    private static final String SERVER = "control-plane";
    private static final String SIGNING = "service-accounts";

    private final Addresses addresses;
    private final Layout layout;
    private final Tools tools;
    private final Daemons daemons;
    private final ClusterNetwork network;

    ControlPlane(Addresses addresses, Layout layout, Tools tools, Daemons daemons, ClusterNetwork network) {
        this.addresses = addresses;
        this.layout = layout;
        this.tools = tools;
        this.daemons = daemons;
        this.network = network;
    }

    public String server() {
        return "https://%s:6443".formatted(addresses.controlPlane());
    }

    /** Makes everyone's certificates and files, unless they are there. */
    void ensureIdentities(List<ClusterNode> nodes) {
        var certificates = new Certificates(layout.certificates());
        certificates.signingKey(SIGNING);
        certificates.server(
                SERVER,
                List.of(
                        "IP:" + addresses.controlPlane(),
                        "IP:" + addresses.apiService(),
                        "IP:127.0.0.1",
                        "DNS:localhost",
                        "DNS:kubernetes",
                        "DNS:kubernetes.default",
                        "DNS:kubernetes.default.svc",
                        "DNS:kubernetes.default.svc.cluster.local"));
        certificates.user("admin", "admin", "system:masters");
        certificates.user("kubelet-client", Roles.API_SERVER, "");
        user(certificates, CONTROLLER_MANAGER, "system:kube-controller-manager", "");
        user(certificates, SCHEDULER, "system:kube-scheduler", "");
        user(certificates, "kube-proxy", "system:kube-proxy", "");
        user(certificates, SNAPSHOT_CONTROLLER, Roles.SNAPSHOT_CONTROLLER, "");
        for (var node : nodes) {
            certificates.server(node.name() + "-server", List.of("IP:" + node.address(), "DNS:" + node.name()));
            user(certificates, node.name(), "system:node:" + node.name(), "system:nodes");
        }
        Kubeconfig.write(layout.kubeconfig(), layout.name(), server(), certificates, "admin");
    }

    private void user(Certificates certificates, String name, String user, String group) {
        certificates.user(name, user, group);
        Kubeconfig.write(layout.kubeconfig(name), layout.name(), server(), certificates, name);
    }

    public void startEtcd() {
        start(
                ETCD,
                List.of(
                        "--data-dir=" + layout.etcd(),
                        "--listen-metrics-urls=http://%s:2381".formatted(addresses.controlPlane()),
                        // Nothing in a test cluster is worth waiting for the disk.
                        "--unsafe-no-fsync"));
    }

    public void stopEtcd() {
        daemons.stop(ETCD);
    }

    public void startApiServer() {
        var certificates = new Certificates(layout.certificates());
        start(
                API_SERVER,
                List.of(
                        "--etcd-servers=http://127.0.0.1:2379",
                        "--advertise-address=" + addresses.controlPlane(),
                        "--secure-port=6443",
                        "--tls-cert-file=" + certificates.certificate(SERVER),
                        "--tls-private-key-file=" + certificates.key(SERVER),
                        "--client-ca-file=" + certificates.authority(),
                        "--kubelet-client-certificate=" + certificates.certificate("kubelet-client"),
                        "--kubelet-client-key=" + certificates.key("kubelet-client"),
                        "--kubelet-certificate-authority=" + certificates.authority(),
                        "--kubelet-preferred-address-types=InternalIP",
                        "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
                        "--service-account-key-file=" + certificates.key(SIGNING),
                        "--service-account-signing-key-file=" + certificates.key(SIGNING),
                        "--service-cluster-ip-range=" + addresses.services(),
                        "--authorization-mode=Node,RBAC",
                        "--enable-admission-plugins=NodeRestriction",
                        "--allow-privileged=true",
                        // The stock sidecars ask for the VolumeAttributesClass of this version.
                        "--runtime-config=storage.k8s.io/v1beta1=true",
                        // The control plane has no kube-proxy: a webhook's pod is called by the pod's own address.
                        "--enable-aggregator-routing=true",
                        "--shutdown-delay-duration=0s"));
    }

    public void stopApiServer() {
        daemons.stop(API_SERVER);
    }

    public void startControllerManager() {
        var certificates = new Certificates(layout.certificates());
        start(
                CONTROLLER_MANAGER,
                withKubeconfigs(
                        CONTROLLER_MANAGER,
                        List.of(
                                "--root-ca-file=" + certificates.authority(),
                                "--service-account-private-key-file=" + certificates.key(SIGNING),
                                "--cluster-signing-cert-file=" + certificates.authority(),
                                "--cluster-signing-key-file=" + certificates.authorityKey(),
                                "--use-service-account-credentials=true")));
    }

    public void startScheduler() {
        start(SCHEDULER, withKubeconfigs(SCHEDULER, List.of()));
    }

    /** The resources first: the controller ends if they are not there. */
    void startSnapshots(Kubectl kubectl) {
        var certificates = new Certificates(layout.certificates());
        start(
                SNAPSHOT_CONVERSION,
                List.of(
                        "--listen=%s:8443".formatted(addresses.controlPlane()),
                        "--tls-cert-file=" + certificates.certificate(SERVER),
                        "--tls-private-key-file=" + certificates.key(SERVER)));
        SnapshotApi.install(
                tools.snapshotResources(),
                kubectl,
                "https://%s:8443/convert".formatted(addresses.controlPlane()),
                certificates.authority());
        startSnapshotController();
    }

    private void startSnapshotController() {
        start(
                SNAPSHOT_CONTROLLER,
                List.of(
                        "--kubeconfig=" + layout.kubeconfig(SNAPSHOT_CONTROLLER),
                        "--http-endpoint=%s:8080".formatted(addresses.controlPlane()),
                        // Only then it looks again at a snapshot that was deleted while a claim waited for its content.
                        "--resync-period=30s",
                        // With the usual five requests a second, a group snapshot may be deleted before it is protected
                        // from that. Its content then stays for ever.
                        "--kube-api-qps=100",
                        "--kube-api-burst=200",
                        "--feature-gates=CSIVolumeGroupSnapshot=true"));
    }

    private List<String> withKubeconfigs(String user, List<String> more) {
        var certificates = new Certificates(layout.certificates());
        var kubeconfig = layout.kubeconfig(user);
        var arguments = new ArrayList<>(List.of(
                "--kubeconfig=" + kubeconfig,
                "--authentication-kubeconfig=" + kubeconfig,
                "--authorization-kubeconfig=" + kubeconfig,
                "--bind-address=" + addresses.controlPlane(),
                "--tls-cert-file=" + certificates.certificate(SERVER),
                "--tls-private-key-file=" + certificates.key(SERVER),
                "--leader-elect=false"));
        arguments.addAll(more);
        return arguments;
    }

    private void start(String part, List<String> arguments) {
        var command = new ArrayList<>(List.of(tools.program(part)));
        command.addAll(arguments);
        daemons.ensure(part, Map.of(), network.inside(command));
    }

    /** Where a part tells how it is. */
    String health(String part) {
        var address = addresses.controlPlane();
        return switch (part) {
            case ETCD -> "http://%s:2381/health".formatted(address);
            case API_SERVER -> "https://%s:6443/readyz".formatted(address);
            case CONTROLLER_MANAGER -> "https://%s:10257/healthz".formatted(address);
            case SCHEDULER -> "https://%s:10259/healthz".formatted(address);
            case SNAPSHOT_CONTROLLER -> "http://%s:8080/metrics".formatted(address);
            case SNAPSHOT_CONVERSION -> "https://%s:8443/healthz".formatted(address);
            default -> throw new IllegalArgumentException("no part of the control plane is named " + part);
        };
    }
}
