#!/bin/bash
# The guest's first process. Its root is the host's, read-only; a writable one is laid over it in memory, and the job runs there.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb
mount -t proc proc /proc
for word in $(</proc/cmdline); do
  case $word in
    lab_here=*) here=${word#*=} ;;
    lab_root=*) packages=${word#*=} ;;
    lab_modules=*) modules=${word#*=} ;;
    lab_run=*) run=${word#*=} ;;
  esac
done
release=$(uname -r)

mount -t tmpfs -o size=80% tmpfs /mnt
# By busybox, which needs no libraries: a machine may have no insmod of its own, and the packages are not in place yet.
PATH=$PATH:$packages/usr/bin busybox insmod "$modules/$release/kernel/fs/overlayfs/overlay.ko"
mkdir /mnt/upper /mnt/work /mnt/root /mnt/packages
# A mount of its own: no layer may lie within another.
mount -t hostfs none /mnt/packages -o "$packages"
mount -t overlay overlay -o "lowerdir=/mnt/packages:/,upperdir=/mnt/upper,workdir=/mnt/work" /mnt/root
cd /mnt/root || exit 1

mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t devtmpfs devtmpfs dev
mkdir -p dev/pts dev/shm
mount -t devpts devpts dev/pts
mount -t tmpfs tmpfs dev/shm
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mkdir -p run/lock/iscsi run/lab run/job usr/lib/modules/"$release"
mount --bind "$modules/$release" usr/lib/modules/"$release"
mount --bind "$here" run/lab
mount -t hostfs none run/job -o "$run"

# The tools keep state here; the host's is none of theirs.
cp etc/iscsi/iscsid.conf run/iscsid.conf
mkdir -p etc/iscsi etc/multipath var/lib/iscsi
mount -t tmpfs tmpfs etc/iscsi
mount -t tmpfs tmpfs etc/multipath
mount -t tmpfs tmpfs var/lib/iscsi
cp run/iscsid.conf etc/iscsi/
echo 127.0.0.1 localhost lab >etc/hosts
hostname lab
ip link set lo up

# This kernel loses AVX-512 registers across signals.
export JDK_JAVA_OPTIONS=-XX:UseAVX=2 GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW
cat >run/start <<'EOF'
cd /
bash /run/job/job.sh </dev/null >/run/job/out 2>&1
echo $? >/run/job/exit-code
sync
exec busybox poweroff -f
EOF
exec chroot . /bin/bash /run/start
