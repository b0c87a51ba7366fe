#!/bin/sh
# The first process of a node. It has PID, mount, network, UTS and IPC namespaces of its own; when it ends, so does everything in them.
#   node.sh NAME DIRECTORY PROGRAMS
set -eu
name=$1 directory=$2 programs=$3

# Whether the node has a use for a mount of the host. A copy of any other would keep alive what the host unmounts.
keeps() { # mount point
  case $1 in
    / | /proc | /proc/* | /sys | /sys/* | /dev | /dev/* | /etc/* | /usr | /usr/* | /bin | /sbin | /lib*) return 0 ;;
  esac
  case $directory/ in "$1"/*) return 0 ;; esac
  case $programs/ in "$1"/*) return 0 ;; esac
  return 1
}

echo "$name" >/proc/sys/kernel/hostname
echo 1 >/proc/sys/net/ipv4/ip_forward

tac /proc/self/mountinfo | while read -r _ _ _ _ target _; do
  target=$(printf '%b' "$target")
  keeps "$target" || umount --lazy "$target"
done

# What a machine keeps to itself. The rest of the host's files are the node's programs and libraries.
for own in var/lib var/log tmp; do
  mkdir -p "$directory/$own"
  mount --bind "$directory/$own" "/$own"
done
chmod 1777 /tmp
mount -t tmpfs -o mode=755 run /run
mkdir -p /run/lock /var/lib/kubelet

# Mounts that a driver makes below the kubelet's directory have to appear in pods, and the other way round; never on the host.
mount --make-rshared /

: >"$directory/ready"

# A shell that waits takes in the orphans, as a first process must.
while :; do
  sleep 86400 &
  wait
done
