// The custom resources of the snapshot API, as Kubernetes takes them. Nothing is compiled from it.
module dev.stowage/tools/snapshot-crds

go 1.25.0

require github.com/kubernetes-csi/external-snapshotter/client/v8 v8.4.0
