# shellcheck shell=bash disable=SC2154 # ../stowage sets the variables
# What the tests in a kernel of their own need: that kernel and the programs in it, outside of the checkout. Nothing is installed on this
# machine, where the packages would start services. Sourced by test.sh.

lab_packages=(user-mode-linux open-iscsi multipath-tools kmod udev busybox-static nfs-ganesha nfs-ganesha-vfs)

# Packages that this machine has are found where they are; the others, with what they need, are unpacked into the lab.
unpack_lab_packages() { # directory
  local debs=$1/debs package entry
  mkdir -p "$debs/partial" "$1/root"
  apt-get update && apt-get install --yes --no-install-recommends --download-only -o "Dir::Cache::archives=$debs" "${lab_packages[@]}" ||
    return 1
  for package in "$debs"/*.deb; do
    if [[ -e $package ]]; then dpkg --extract "$package" "$1/root" || return 1; fi
  done
  rm -rf "$debs"
  # A directory of this name would hide the link to the one in /usr.
  for entry in bin sbin lib lib64; do
    if [[ -d $1/root/$entry ]]; then
      mkdir -p "$1/root/usr/$entry"
      cp -a "$1/root/$entry/." "$1/root/usr/$entry/" && rm -rf "${1:?}/root/$entry"
    fi
  done
}

prepare_lab() {
  local lab source=$home/lab/src/test/lab/xstate.c
  lab=$cache/lab/$(cat "$source" "$home/scripts/lab.sh" | sha256sum | cut -c 1-16)
  if [[ ! -e $lab/ready ]]; then
    if ! command -v gcc >/dev/null; then apt_install gcc libc6-dev || die 3 "could not install gcc and libc6-dev"; fi
    can_install || die 3 "the packages ${lab_packages[*]} can only be fetched by root, on Debian"
    rm -rf "$lab"
    mkdir -p "$lab"
    run "preparing a kernel for tests" "$cache/log/lab" unpack_lab_packages "$lab" || die 3 "could not fetch the packages ${lab_packages[*]}"
    gcc -O2 -Wall -fPIC -shared -o "$lab/xstate.so" "$source" || die 3 "could not compile $source"
    touch "$lab/ready"
  fi
  export STOWAGE_LAB=$lab
}
