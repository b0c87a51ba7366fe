#!/usr/bin/env bash
# Runs a script in a kernel of its own, and ends with the script's exit code; what the script said is in RUN/out.
#
#   boot.sh LAB RUN     LAB: what scripts/lab.sh prepared; RUN: a directory with job.sh, which the guest may write
#
# The guest sees the files of this machine, read-only below an overlay that is gone with it.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
lab=$1 run=$2

first() { for each in "$@"; do if [[ -e $each ]]; then echo "$each" && return; fi; done; echo "boot.sh: none of $* is there" >&2 && exit 3; }
kernel=$(first "$lab/root/usr/bin/linux.uml" /usr/bin/linux.uml)
modules=$(first "$lab/root/usr/lib/uml/modules" /usr/lib/uml/modules)

LD_PRELOAD=$lab/xstate.so "$kernel" mem=1G root=/dev/root rootfstype=hostfs rootflags=/ ro "init=$here/init.sh" umid=lab "uml_dir=$run" \
  con=null con0=null,fd:1 noreboot quiet loglevel=3 "lab_here=$here" "lab_root=$lab/root" "lab_modules=$modules" "lab_run=$run" \
  </dev/null >"$run/console" 2>&1 &
uml=$!
# Not SIGKILL: it has to end the processes that it traces.
trap 'kill -TERM $uml 2>/dev/null' TERM INT HUP
wait $uml || true
if [[ ! -e $run/exit-code ]]; then
  echo "boot.sh: the guest ended without finishing; its console:" >&2
  tail -20 "$run/console" >&2
  exit 125
fi
exit "$(<"$run/exit-code")"
