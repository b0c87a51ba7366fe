# shellcheck shell=bash
# Sourced in the guest: a server that exports two directories by NFS, in a network namespace of its own, and a node that it lets in.
nas=/tmp/nas

nas_up() {
  modprobe veth || exit 1
  ip netns add nas
  ip -n nas link set lo up
  ip link add node-nas type veth peer name nas-node netns nas
  ip addr add 10.99.9.2/24 dev node-nas
  ip link set node-nas up
  ip -n nas addr add 10.99.9.1/24 dev nas-node
  ip -n nas link set nas-node up
  mkdir -p $nas/one $nas/two $nas/state /var/run/ganesha /var/lib/nfs/ganesha
  cat >$nas/conf <<END
NFS_CORE_PARAM { Protocols = 4; Bind_addr = 10.99.9.1; Enable_UDP = false; Enable_NLM = false; Enable_RQUOTA = false; }
NFSV4 { Grace_Period = 4; Lease_Lifetime = 2; RecoveryBackend = fs; RecoveryRoot = "$nas/state"; Only_Numeric_Owners = true; }
NFS_KRB5 { Active_krb5 = false; }
EXPORT_DEFAULTS { Access_Type = None; Protocols = 4; Transports = TCP; SecType = sys; Squash = no_root_squash; }
EXPORT { Export_Id = 1; Path = "$nas/one"; Pseudo = "/export/one"; FSAL { Name = VFS; } CLIENT { Clients = 10.99.9.2; Access_Type = RW; } }
EXPORT { Export_Id = 2; Path = "$nas/two"; Pseudo = "/export/two"; FSAL { Name = VFS; } CLIENT { Clients = 10.99.9.2; Access_Type = RW; } }
END
  nas_start
}

nas_start() {
  rm -f $nas/log
  ip netns exec nas ganesha.nfsd -f $nas/conf -L $nas/log -p $nas/pid
  local try
  for try in {1..300}; do
    if grep -q 'NFS SERVER INITIALIZED' $nas/log 2>/dev/null; then return; fi
    sleep 0.1
  done
  echo "the NFS server did not start within $try looks" >&2
  cat $nas/log >&2
  exit 1
}

nas_kill() { kill -KILL "$(<$nas/pid)"; }

# Whether the kernel loads modules by itself.
autoload() { if [[ $1 == on ]]; then echo /sbin/modprobe; else echo /bin/false; fi >/proc/sys/kernel/modprobe; }
