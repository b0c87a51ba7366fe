# shellcheck shell=bash
# Sourced in the guest: a storage network with an array that has two portals, and a node that is connected to both.
# The array is the kernel's own target (LIO), in a network namespace of its own.
target=/sys/kernel/config/target
array=iqn.2026-01.dev.stowage.lab:array
node=iqn.2026-01.dev.stowage.lab:node
group=$target/iscsi/$array/tpgt_1
portals=(10.99.1.1 10.99.2.1)

load() {
  local module
  for module in "$@"; do modprobe "$module" || exit 1; done
}

san_up() {
  load veth target_core_mod target_core_file iscsi_target_mod iscsi_tcp sd_mod sg dm_multipath dm_service_time
  mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
  ip netns add san
  ip -n san link set lo up
  local number
  for number in 1 2; do
    ip link add "node$number" type veth peer name "array$number" netns san
    ip addr add "10.99.$number.2/24" dev "node$number"
    ip link set "node$number" up
    ip -n san addr add "10.99.$number.1/24" dev "array$number"
    ip -n san link set "array$number" up
  done
  mkdir -p "$group"
  # A portal listens in the namespace of whoever makes it, who sees another /sys there.
  ip netns exec san sh -c "mount -t configfs none /sys/kernel/config; for portal in ${portals[*]}; do mkdir $group/np/\$portal:3260; done"
  echo 1 >"$group/attrib/authentication"
  echo 1 >"$group/enable"
}

# Without a newline: it would become part of the value.
put() { printf %s "$1" >"$2"; }

san_admit() { # user, secret, [the target's user, its secret]
  local access=$group/acls/$node/auth
  mkdir -p "$group/acls/$node"
  put "$1" "$access/userid"
  put "$2" "$access/password"
  if (($# > 2)); then
    put "$3" "$access/userid_mutual"
    put "$4" "$access/password_mutual"
  fi
}

san_unit() { # number, serial, bytes
  local store=$target/core/fileio_$1/$2
  truncate -s "$3" "/tmp/$2"
  mkdir -p "$store"
  echo "fd_dev_name=/tmp/$2,fd_dev_size=$3,fd_buffered_io=1" >"$store/control"
  put "$2" "$store/wwn/vpd_unit_serial"
  echo 1 >"$store/enable"
  mkdir "$group/lun/lun_$1"
  ln -s "$store" "$group/lun/lun_$1/unit"
  mkdir "$group/acls/$node/lun_$1"
  ln -s "$group/lun/lun_$1" "$group/acls/$node/lun_$1/map"
}

san_remove() { # number, serial
  rm "$group/acls/$node/lun_$1/map"
  rmdir "$group/acls/$node/lun_$1"
  rm "$group/lun/lun_$1/unit"
  rmdir "$group/lun/lun_$1" "$target/core/fileio_$1/$2"
}

san_grow() { # number, serial, bytes
  truncate -s "$3" "/tmp/$2"
  echo "fd_dev_size=$3" >"$target/core/fileio_$1/$2/control"
}

san_link() { ip -n san link set "array$1" "$2"; } # number, up or down

node_up() {
  echo "InitiatorName=$node" >/etc/iscsi/initiatorname.iscsi
  /lib/systemd/systemd-udevd --daemon
  udevadm trigger -s block
  udevadm settle
  iscsid
}

multipath_up() {
  printf 'defaults {\n find_multipaths yes\n user_friendly_names no\n polling_interval 1\n no_path_retry 10\n}\n' >/etc/multipath.conf
  multipathd
}
