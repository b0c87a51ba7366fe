# shellcheck shell=bash disable=SC2154,SC2034 # ../stowage sets and uses the variables
# All tests, and how many there were. Sourced by ../stowage, after a build.

# shellcheck source=scripts/tools.sh
source "$home/scripts/tools.sh"
# shellcheck source=scripts/lab.sh
source "$home/scripts/lab.sh"
# shellcheck source=scripts/build.sh
source "$home/scripts/build.sh"

maven_failed() {
  say "Maven stopped with an error: not everything was tested, which counts as one more that failed"
  status=1 stopped=1
}

# Whether Maven, given these arguments, runs the tests of a module. It does unless other modules are named, or this one is left out.
runs_tests_of() { # module, arguments for Maven
  local module=$1
  shift
  local argument project projects='' is_next='' named='' left_out=''
  for argument in "$@"; do
    if [[ -n $is_next ]]; then projects=$argument; fi
    is_next=''
    case $argument in
      -pl | --projects) is_next=1 ;;
      -pl=* | --projects=*) projects=${argument#*=} ;;
    esac
  done
  for project in ${projects//,/ }; do
    case $project in
      "$module" | ":stowage-$module") return 0 ;;
      [\!-]"$module" | [\!-]":stowage-$module") left_out=1 ;;
      [\!-]*) ;;
      *) named=1 ;;
    esac
  done
  [[ -z $named && -z $left_out ]]
}

# The array's own programs, and initiators and clients that are not ours.
prepare_for_array_tests() {
  programs+=("${array_programs[@]}" qemu-io iscsi-ls openssl python3 mkfs.xfs ganesha.nfsd nfs-ls zpool)
  if lacks_a_program; then
    install_packages "${array_packages[@]}" qemu-utils qemu-block-extra libiscsi-bin openssl python3 python3-venv xfsprogs \
      nfs-ganesha nfs-ganesha-vfs libnfs-utils zfs-fuse
  fi
  prepare_zadarapy
}

# A target that is not ours, and what stands in for the kernel's initiator.
prepare_for_initiator_tests() {
  programs+=("${initiator_programs[@]}" tgtd qemu-io)
  if lacks_a_program; then install_packages "${initiator_packages[@]}" tgt qemu-utils; fi
}

prepare_for_cluster_tests() {
  programs+=("${cluster_programs[@]}")
  if lacks_a_program; then install_packages "${cluster_packages[@]}"; fi
  prepare_cluster_tools
  export STOWAGE_CACHE=$cache
}

# Whose tests need a Kubernetes, or start one: of these modules all, of conformance those in these packages.
with_kubernetes=(workbench cluster-tests)
packages_with_kubernetes=(bench cluster manager sanity sidecar vsc)

run_tests() { # arguments for Maven
  export JAVA_HOME=$java_home
  need_maven
  if runs_tests_of array "$@" || runs_tests_of conformance "$@"; then prepare_for_array_tests; fi
  if runs_tests_of iscsi "$@" || runs_tests_of backend-vsc "$@" || runs_tests_of conformance "$@"; then
    prepare_for_initiator_tests
  fi
  if runs_tests_of lab "$@"; then prepare_lab; fi
  # The tests start the program through ../stowage: it is to start the build that was just made, whatever is edited meanwhile.
  lock_the_build
  export STOWAGE_NO_BUILD=1
  rm -f "$home"/*/target/surefire-reports/*.{xml,txt}
  local log=$home/cli/target/test.log status=0 stopped=0 began=$SECONDS
  : >"$log"
  "$home/scripts/test-launcher.sh" "$home/cli/target/surefire-reports/TEST-launcher.xml" 9>&- || status=1
  if (($# == 0)); then test_everything; else test_some "$@"; fi
  find "$home"/*/target/surefire-reports -name '*.txt' -exec grep -q '<<< ' {} \; -exec tail -n +5 {} \; >&2
  say "$((SECONDS - began)) s; everything Maven said is in $log"
  report "$stopped" || status=1
  return $status
}

test_some() { # arguments for Maven
  prepare_for_kubernetes "$@"
  maven_tests --also-make "$@"
}

# The first time, Kubernetes takes half an hour to build. What does not need it is tested meanwhile.
test_everything() {
  local left_out named patterns builder packages=$home/cli/target/packages-with-kubernetes
  prepare_tools
  build_kubernetes_aside &
  builder=$!
  printf -v left_out ',!%s' "${with_kubernetes[@]}"
  printf 'dev/stowage/conformance/%s/**\n' "${packages_with_kubernetes[@]}" >"$packages"
  maven_tests -pl "${left_out:1}" -Dsurefire.excludesFile="$packages"
  wait "$builder" || say "building Kubernetes was interrupted, and is tried again"
  prepare_for_kubernetes
  printf -v named ',%s' conformance "${with_kubernetes[@]}"
  printf -v patterns ',dev.stowage.%s.**' "${packages_with_kubernetes[@]/#/conformance.}" "${with_kubernetes[@]//-/}"
  # These wait more than they work: for nodes to be missed, leases to run out, pods to start. So two modules are tested at once.
  maven_tests --threads 2 --also-make -pl "${named:1}" -Dtest="${patterns:1}"
}

build_kubernetes_aside() {
  renice --priority 10 --pid $BASHPID >/dev/null
  build_tools etcd kube-apiserver "${cluster_tools[@]}" >"$home/cli/target/kubernetes.log" 2>&1 9>&-
}

prepare_for_kubernetes() { # arguments for Maven
  prepare_tools
  if runs_tests_of conformance "$@"; then prepare_api_server; fi
  if runs_tests_of cluster-tests "$@"; then prepare_for_cluster_tests; fi
}

# Sets apart to a Java that runs in a mount namespace of its own. What one module mounts is not in the way of another that is tested at
# the same time, and does not stay mounted on the machine if the tests are killed.
java_apart() {
  apart=$home/cli/target/apart/bin/java
  mkdir -p "${apart%/*}"
  printf '#!/bin/sh\nexec unshare --mount --propagation private "%s" "$@"\n' "$java_home/bin/java" >"$apart"
  chmod 755 "$apart"
}

maven_tests() { # arguments for Maven
  local apart
  java_apart
  "$maven" --file "$home/pom.xml" -Djvm="$apart" -Dmaven.test.failure.ignore=true -Dsurefire.failIfNoSpecifiedTests=false verify "$@" \
    2>&1 </dev/null 9>&- | tee --append "$home/cli/target/test.log" |
    show_progress testing '(Tests run:.* -- in )|^\[ERROR\]' || maven_failed
}

# Adds up the reports of all modules. A test that was skipped has not passed, and no tests at all is no success either.
report() { # how many failed beside those in the reports
  local passed failed skipped
  read -r passed failed skipped < <(
    find "$home"/*/target/surefire-reports -name 'TEST-*.xml' -exec grep -h '^<testsuite ' {} + 2>/dev/null | awk '
      function count(name) { return match($0, " " name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3) + 0 : 0 }
      { tests += count("tests"); failed += count("failures") + count("errors"); skipped += count("skipped") }
      END { print tests - failed - skipped, failed + 0, skipped + 0 }'
  )
  failed=$((failed + $1))
  ((skipped == 0)) || say "$skipped skipped, which counts as not passed"
  echo "$passed passed, $failed failed"
  ((passed > 0 && failed == 0 && skipped == 0))
}
