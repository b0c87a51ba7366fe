# shellcheck shell=bash disable=SC2154,SC2034 # ../stowage sets and uses the variables
# Building the program and recording its ahead-of-time cache. Sourced by ../stowage when something has changed.

# shellcheck source=scripts/setup.sh
source "$home/scripts/setup.sh"

# Makes a build current; of several that start at once, one builds and the others wait for it.
build() {
  need_jdk
  export JAVA_HOME=$java_home
  mkdir -p "$home/$product/target" 2>/dev/null || true
  [[ -w $home/$product/target ]] ||
    die 3 "this checkout has to be built, and $home/$product/target is not writable by you; run this as the user that owns it"
  lock_the_build
  find_the_build
  if sources_changed; then compile; fi
  name_the_cache
  if [[ $product == cli && ! -e $aot && ! -e $aot.failed ]]; then record_the_cache; fi
  exec 9>&-
}

lock_the_build() {
  exec 9>"$home/$product/target/lock"
  if ! flock --nonblock 9; then
    say "waiting for another build of this checkout"
    flock 9
  fi
}

compile() {
  local next sources
  next=$(mktemp -d "$home/$product/target/dist.XXXXXX")
  chmod 755 "$next"
  : >"$next/began"
  sources=$(fingerprint_of_the_sources)
  if [[ -e $dist/sources && $(<"$dist/sources") == "$sources" ]]; then
    mv "$next/began" "$dist/began" # touched, but the same
    rmdir "$next"
    return
  fi
  need_maven
  rm -rf "$home/$product/target/lib" # or a jar that is no longer needed would stay
  if ! run "building" "$home/$product/target/build.log" \
    "$maven" --file "$home/pom.xml" -Dmaven.test.skip=true --projects "$product" --also-make package; then
    rm -rf "$next"
    exit 1
  fi
  mv "$home/$product/target/lib" "$next/lib"
  printf '%s\n' "$sources" >"$next/sources"
  printf '%s\n' "$java_home" >"$next/java-home"
  replace_the_build "$next"
}

fingerprint_of_the_sources() {
  find_sources -type f -print0 | (cd "$home" && LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum)
}

# The last build but one is kept: a program that runs from it may still have to read its jars.
replace_the_build() {
  local old
  for old in "$home/$product/target"/dist.*; do
    if [[ $old != "$1" && $old != "$dist" ]]; then rm -rf "$old"; fi
  done
  ln -sfn "${1##*/}" "$home/$product/target/dist.link"
  mv --no-target-directory "$home/$product/target/dist.link" "$home/$product/target/dist"
  find_the_build
}

record_the_cache() {
  local work=$aot.$$
  if run "preparing fast starts" "$home/$product/target/aot.log" rehearse "$work" && [[ -e $work ]]; then
    mv "$work" "$aot"
  else
    say "starts will be slower, nothing else is lost"
    : >"$aot.failed"
  fi
}

# A real driver starts and is called, and what it needed for that is recorded when it ends. The caller is a process of its own, so
# that nothing of it gets into the cache: a node keeps all of the cache in memory.
rehearse() {
  local stage class_path driver outcome=0
  stage=$(mktemp -d)
  printf -v class_path '%s:' "${jars[@]}"
  local program=(-cp "${class_path%:}" dev.stowage.cli.Stowage)
  "$java_home/bin/java" "${java_flags[@]}" "-XX:AOTCacheOutput=$1" "${program[@]}" driver --endpoint "unix://$stage/csi.sock" \
    --node-id rehearsal --pool "$stage/pool" --http 127.0.0.1:0 --kubelet-registration-dir "$stage" --log-level warn &
  driver=$!
  "$java_home/bin/java" "${java_flags[@]}" "${program[@]}" rehearsal --endpoint "unix://$stage/csi.sock" || outcome=1
  kill -TERM "$driver"
  wait "$driver" || outcome=1
  rm -rf "$stage"
  return "$outcome"
}
