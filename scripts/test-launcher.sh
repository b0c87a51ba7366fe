#!/usr/bin/env bash
#
# Tests of ../stowage itself, on a copy of this checkout with its build. Run by `./stowage test`.
#   scripts/test-launcher.sh REPORT    writes its counts to REPORT, in the form of Surefire's
set -uo pipefail

home=$(cd -P "${BASH_SOURCE[0]%/*}/.." && pwd)
report=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
copy=$work/checkout
unset STOWAGE_NO_BUILD STOWAGE_HOME

copy_the_checkout() {
  rm -rf "$copy"
  mkdir "$copy"
  (cd "$home" && cp -a --parents stowage scripts pom.xml .mvn ./*/pom.xml ./*/src/main cli/target/dist "$(readlink -f cli/target/dist)" "$copy" 2>/dev/null)
  mv "$copy$(readlink -f "$home/cli/target/dist")" "$copy/cli/target/"
}

java_home() { cat "$copy/cli/target/dist/java-home"; }

stowage() { "$copy/stowage" "$@"; }

expect() { # what, expected, actual
  if [[ $2 == "$3" ]]; then return; fi
  printf '    %s: expected «%s», found «%s»\n' "$1" "$2" "$3" >&2
  return 1
}

# The program replaced by one that prints a word. Words of one length make jars of one size.
program_that_prints() { # word, jar
  local classes
  classes=$(mktemp -d "$work/classes.XXXXXX")
  mkdir -p "$classes/dev/stowage/cli"
  cat >"$classes/dev/stowage/cli/Stowage.java" <<JAVA
package dev.stowage.cli;

public class Stowage {
    public static void main(String[] arguments) {
        System.out.println("$1");
    }
}
JAVA
  "$(java_home)/bin/javac" -d "$classes" "$classes/dev/stowage/cli/Stowage.java"
  "$(java_home)/bin/jar" --create --no-compress --date=2026-01-01T00:00:00Z --file "$2" -C "$classes" dev/stowage/cli/Stowage.class
}

# A Maven that counts how often it is started and makes the jars of the last build again.
counting_maven() {
  mkdir -p "$work/cache/stowage/maven/apache-maven-3.9.16/bin"
  cat >"$work/cache/stowage/maven/apache-maven-3.9.16/bin/mvn" <<SH
#!/usr/bin/env bash
echo started >>"$work/maven-starts"
sleep 1
cp -r "$copy/cli/target/dist/lib" "$copy/cli/target/lib"
SH
  chmod +x "$work/cache/stowage/maven/apache-maven-3.9.16/bin/mvn"
  : >"$work/maven-starts"
}

a_start_prints_only_what_the_program_prints() {
  copy_the_checkout
  stowage version >"$work/out" 2>/dev/null
  expect "exit code" 0 $? && expect "lines" 1 "$(wc -l <"$work/out")" && expect "program" stowage "$(cut -d' ' -f1 "$work/out")"
}

a_second_start_is_silent_and_uses_the_cache() {
  stowage version >/dev/null 2>"$work/err"
  expect "words on stderr" "" "$(<"$work/err")" &&
    expect "starts with the cache" 1 "$(bash -x "$copy/stowage" version 2>&1 >/dev/null | grep -c '^+ exec .*-XX:AOTCache=')"
}

a_jar_replaced_by_one_of_the_same_size_and_time_runs_its_own_code() {
  program_that_prints before "$work/before.jar"
  program_that_prints behind "$work/behind.jar"
  touch -r "$work/before.jar" "$work/behind.jar"
  expect "size" "$(stat -c %s "$work/before.jar")" "$(stat -c %s "$work/behind.jar")" || return
  local jar
  jar=$(echo "$copy"/cli/target/dist/lib/stowage-cli-*.jar)
  cp -p "$work/before.jar" "$jar"
  expect "first start" before "$(stowage 2>/dev/null)" && expect "start from the cache" before "$(stowage)" || return
  cp -p "$work/behind.jar" "$jar"
  expect "start without building" behind "$(STOWAGE_NO_BUILD=1 stowage)" &&
    expect "start" behind "$(stowage 2>/dev/null)" && expect "start from the new cache" behind "$(stowage)"
}

starts_at_the_same_time_build_once() {
  copy_the_checkout
  counting_maven
  echo >>"$copy/pom.xml"
  local start
  for start in 1 2 3; do XDG_CACHE_HOME=$work/cache stowage version >"$work/out.$start" 2>/dev/null & done
  wait
  expect "builds" 1 "$(wc -l <"$work/maven-starts")" && expect "answers" 3 "$(cat "$work"/out.[123] | grep -c '^stowage ')"
}

a_removed_source_is_a_change_and_a_touched_one_is_not() {
  counting_maven
  find "$copy/cli/src/main" -name '*.java' -exec touch {} +
  XDG_CACHE_HOME=$work/cache stowage version >/dev/null 2>&1
  expect "builds after a touch" 0 "$(wc -l <"$work/maven-starts")" || return
  rm "$copy/cli/src/main/java/dev/stowage/cli/package-info.java"
  XDG_CACHE_HOME=$work/cache stowage version >/dev/null 2>&1
  expect "builds after a removal" 1 "$(wc -l <"$work/maven-starts")"
}

the_program_is_not_built_again_for_the_workbench() {
  copy_the_checkout
  counting_maven
  echo >>"$copy/workbench/pom.xml"
  echo >>"$copy/workbench/src/main/java/dev/stowage/workbench/package-info.java"
  XDG_CACHE_HOME=$work/cache stowage version >/dev/null 2>&1
  expect "builds" 0 "$(wc -l <"$work/maven-starts")"
}

without_root_nothing_is_touched_and_the_message_says_so() {
  local command
  touch "$work/before"
  for command in try test bench driver 'cluster up'; do
    # shellcheck disable=SC2086 # a command may have a sub-command
    setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="$work" "$copy/stowage" $command >"$work/out" 2>&1
    expect "exit code of $command" 3 $? && expect "lines about root" 1 "$(grep -c 'needs root' "$work/out")" || return
  done
  expect "touched files" "" "$(find "$copy" "$work/cache" -newer "$work/before")"
}

passed=0 failed=0
for contract in \
  a_start_prints_only_what_the_program_prints \
  a_second_start_is_silent_and_uses_the_cache \
  a_jar_replaced_by_one_of_the_same_size_and_time_runs_its_own_code \
  starts_at_the_same_time_build_once \
  a_removed_source_is_a_change_and_a_touched_one_is_not \
  the_program_is_not_built_again_for_the_workbench \
  without_root_nothing_is_touched_and_the_message_says_so; do
  if "$contract"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'stowage: launcher: %s FAILED\n' "$contract" >&2
  fi
done
mkdir -p "${report%/*}"
printf '<testsuite name="launcher" tests="%d" errors="0" skipped="0" failures="%d"/>\n' $((passed + failed)) "$failed" >"$report"
printf 'stowage: launcher: %d passed, %d failed\n' "$passed" "$failed" >&2
((failed == 0))
