package dev.stowage.workbench.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files that containerd, the kubelet, kube-proxy and the pods' network of one node read. */
final class NodeSettings {
    private final Path directory;

    NodeSettings(Path directory) {
        this.directory = directory;
    }

    Path containerd() {
        return directory.resolve("containerd.toml");
    }

    Path kubelet() {
        return directory.resolve("kubelet.yaml");
    }

    Path proxy() {
        return directory.resolve("kube-proxy.yaml");
    }

    void write(ClusterNode.Place place, Certificates certificates, Tools tools, Layout layout) {
        put(directory.resolve("cni/10-bridge.conflist"), network(place));
        put(containerd(), containerd(tools));
        put(kubelet(), kubelet(place, certificates));
        put(proxy(), proxy(place, layout));
    }

    private static String network(ClusterNode.Place place) {
        // Addresses live as long as the node runs: after its end the pods are gone and their addresses are free.
        return """
                {
                  "cniVersion": "1.0.0",
                  "name": "pods",
                  "plugins": [{
                    "type": "bridge", "bridge": "cni0", "isGateway": true, "hairpinMode": true,
                    "ipam": {
                      "type": "host-local", "dataDir": "/run/cni",
                      "ranges": [[{"subnet": "%s"}]], "routes": [{"dst": "0.0.0.0/0"}]
                    }
                  }]
                }
                """.formatted(place.addresses().pods(place.number()));
    }

    private String containerd(Tools tools) {
        return """
                version = 3
                root = "/var/lib/containerd"
                state = "/run/containerd"

                [grpc]
                  address = "/run/containerd/containerd.sock"

                [plugins."io.containerd.internal.v1.opt"]
                  path = "/var/lib/containerd/opt"

                [plugins."io.containerd.nri.v1.nri"]
                  disable = true

                [plugins."io.containerd.cri.v1.images".pinned_images]
                  sandbox = "%1$s"

                [plugins."io.containerd.cri.v1.runtime"]
                  restrict_oom_score_adj = true
                  tolerate_missing_hugetlb_controller = true

                [plugins."io.containerd.cri.v1.runtime".cni]
                  bin_dirs = ["%2$s"]
                  conf_dir = "%3$s"

                [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
                  runtime_type = "io.containerd.runc.v2"

                [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
                  BinaryName = "%4$s"
                  SystemdCgroup = false
                """.formatted(Images.PAUSE, tools.programs(), directory.resolve("cni"), tools.program("runc"));
    }

    private static String kubelet(ClusterNode.Place place, Certificates certificates) {
        return """
                apiVersion: kubelet.config.k8s.io/v1beta1
                kind: KubeletConfiguration
                address: %1$s
                healthzBindAddress: %1$s
                authentication:
                  anonymous: {enabled: false}
                  webhook: {enabled: true}
                  x509: {clientCAFile: %2$s}
                authorization: {mode: Webhook}
                tlsCertFile: %3$s
                tlsPrivateKeyFile: %4$s
                containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
                cgroupDriver: cgroupfs
                cgroupRoot: %5$s
                failCgroupV1: false
                failSwapOn: false
                enforceNodeAllocatable: []
                # There is no name service: pods find the API server by the variables that every pod gets.
                resolvConf: ""
                volumePluginDir: /var/lib/kubelet/volume-plugins
                # How full the developer's disk is, is no reason to throw pods or images out.
                evictionHard: {memory.available: 1Mi, nodefs.available: 0%%, imagefs.available: 0%%, nodefs.inodesFree: 0%%}
                imageGCHighThresholdPercent: 100
                imageGCLowThresholdPercent: 99
                serializeImagePulls: false
                # A volume that has grown is noticed when its pod is looked at again, after a minute or more by default.
                syncFrequency: 10s
                # A volume is mounted and detached only after the node's status has told that it is in use or is not: 10 s by default.
                nodeStatusUpdateFrequency: 1s
                nodeStatusReportFrequency: 1m
                # A busy test machine is not a broken one.
                runtimeRequestTimeout: 5m
                # Those who wait for how full a volume is, wait less long.
                volumeStatsAggPeriod: 10s
                """.formatted(
                        place.address(),
                        certificates.authority(),
                        certificates.certificate(place.name() + "-server"),
                        certificates.key(place.name() + "-server"),
                        place.controlGroup());
    }

    private static String proxy(ClusterNode.Place place, Layout layout) {
        return """
                apiVersion: kubeproxy.config.k8s.io/v1alpha1
                kind: KubeProxyConfiguration
                mode: nftables
                clusterCIDR: %s
                bindAddress: %s
                healthzBindAddress: %s:10256
                metricsBindAddress: %s:10249
                hostnameOverride: %s
                clientConnection: {kubeconfig: %s}
                # These belong to the whole machine.
                conntrack: {maxPerCore: 0, min: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
                """.formatted(
                        place.addresses().allPods(),
                        place.address(),
                        place.address(),
                        place.address(),
                        place.name(),
                        layout.kubeconfig("kube-proxy"));
    }

    private static void put(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write " + file, failure);
        }
    }
}
