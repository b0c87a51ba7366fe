# shellcheck shell=bash disable=SC2154,SC2034 # ../stowage sets and uses the variables
# Finding what a build needs, and fetching what can be fetched. Sourced by ../stowage, which says what is in home and cache.

maven_version=3.9.16
maven_sha256=80ffca22aed9e8b9713a232f3394fd81d7f20322df75efdb2b047dbd3e3a23bb

# Runs a command and shows that it moves; its output goes to a log, of which the end is shown if it fails.
run() { # title, log, command
  local title=$1 log=$2 began=$SECONDS
  shift 2
  mkdir -p "${log%/*}"
  if ! "$@" 2>&1 </dev/null 9>&- | tee "$log" | show_progress "$title"; then
    tail -n 40 "$log" >&2
    say "$title: failed after $((SECONDS - began)) s; everything it said is in $log"
    return 1
  fi
  say "$title: done in $((SECONDS - began)) s"
}

# Reads the output of a command. On a terminal one line moves: the title, Maven's module, the seconds. Elsewhere a plain line now and
# then. Lines that match the second argument are passed on. With time_left set, it tells how long that and what follows will take.
show_progress() { # title [pattern]
  local title=$1 pass=${2:-^$} line='' step='' shown='' now began=$SECONDS told=$SECONDS status
  while true; do
    status=0
    IFS= read -r -t 1 line || status=$?
    if ((status > 0 && status <= 128)); then break; fi # the end; above 128 it is only a pause
    if [[ $line =~ ^\[INFO\]\ Building\ (stowage-)?([^ ]+)\ .*(\[[0-9]+/[0-9]+\])$ ]]; then
      step=" ${BASH_REMATCH[2]} ${BASH_REMATCH[3]}"
    fi
    now="$title:$step"
    if ((status == 0)) && [[ $line =~ $pass ]]; then
      if [[ -t 2 ]]; then
        printf '\r\033[K' >&2
        shown=''
      fi
      printf '%s\n' "$line" >&2
    fi
    if [[ -t 2 ]]; then
      now="$now $((SECONDS - began)) s$(time_left_after $((SECONDS - began)))"
      if [[ $now != "$shown" ]]; then printf '\r\033[Kstowage: %s' "$now" >&2; fi
    elif [[ $now != "$shown" ]] || ((SECONDS - told >= 20)); then
      say "$now $((SECONDS - began)) s$(time_left_after $((SECONDS - began)))"
      told=$SECONDS
    fi
    shown=$now
  done
  if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
}

time_left_after() { # seconds
  if [[ -z ${time_left:-} ]]; then return; fi
  local minutes=$(((time_left - $1 + 59) / 60))
  printf ', about %d min left' $((minutes > 1 ? minutes : 1))
}

at_least() { printf '%s\n' "$1" "$2" | sort --version-sort --check=quiet; } # wanted, present

can_install() { ((EUID == 0)) && command -v apt-get >/dev/null; }

update_and_install() {
  apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$@"
}

apt_install() {
  run "installing $*" "$cache/log/apt" update_and_install "$@"
}

install_packages() {
  can_install || die 3 "programs are missing; install the packages $* (their names on Debian)"
  if ! apt_install "$@" || lacks_a_program; then die 3 "could not install $*; install them by hand and start again"; fi
}

find_jdk() {
  local candidate
  for candidate in "${JAVA_HOME:-}" "$(readlink -f "$(command -v javac)" | sed 's|/bin/javac$||')" \
    /usr/lib/jvm/* /opt/* /usr/local/* "${HOME:-/root}"/.sdkman/candidates/java/* "${HOME:-/root}"/.jdks/*; do
    if is_jdk "$candidate"; then
      java_home=$candidate
      return
    fi
  done
  return 1
}

need_jdk() {
  find_jdk && return
  local package
  if can_install; then
    for package in openjdk-25-jdk-headless temurin-25-jdk; do
      if apt_install "$package" && find_jdk; then return; fi
    done
  fi
  die 3 "no JDK 25 found: looked at JAVA_HOME, javac on the PATH, /usr/lib/jvm, /opt, /usr/local, ~/.sdkman and ~/.jdks" \
    "install one, as package openjdk-25-jdk-headless or temurin-25-jdk or from https://adoptium.net, or set JAVA_HOME to it"
}

maven_is_new_enough() {
  local version
  version=$("$1" --version 2>/dev/null | sed -n 's/^Apache Maven \([0-9.]*\).*/\1/p') && at_least 3.9.6 "$version"
}

copy_maven_to() { # an empty directory, where Maven finds no project to look at
  cd "$1" && mvn --batch-mode org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
    -Dartifact=org.apache.maven:apache-maven:$maven_version:tar.gz:bin -DoutputDirectory="$1"
}

# Sets maven. Debian's is too old for the plugins; an old one can fetch a new one, through whatever registry it is set up for.
need_maven() {
  local fetched=$cache/maven/apache-maven-$maven_version
  maven=$fetched/bin/mvn
  if [[ -x $maven ]]; then return; fi
  if command -v mvn >/dev/null && maven_is_new_enough mvn; then
    maven=mvn
    return
  fi
  if ! command -v mvn >/dev/null; then
    can_install || die 3 "no Maven found; install the package maven, any version: it is used to fetch $maven_version"
    apt_install maven || die 3 "could not install the package maven; install it by hand and start again"
  fi
  local work=$cache/maven/fetch.$$ archive=apache-maven-$maven_version-bin.tar.gz
  mkdir -p "$work"
  run "fetching Maven $maven_version" "$cache/log/maven" copy_maven_to "$work" ||
    die 3 "could not fetch Maven $maven_version; check the network, or put a Maven of 3.9.6 or newer on the PATH"
  sha256sum --quiet --check <<<"$maven_sha256  $work/$archive" ||
    die 3 "what was fetched as Maven $maven_version is not it: $work/$archive has another SHA-256"
  tar -xzf "$work/$archive" -C "$work"
  mv --no-target-directory "$work/apache-maven-$maven_version" "$fetched" 2>/dev/null || [[ -x $maven ]] # another start was first
  rm -rf "$work"
}
