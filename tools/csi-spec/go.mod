// The release of the Container Storage Interface whose official csi.proto ours is compared with. Nothing is compiled from it.
module dev.stowage/tools/csi-spec

go 1.25.0

require github.com/container-storage-interface/spec v1.13.0
