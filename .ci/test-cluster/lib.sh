# Shared by the scripts next to it; sourced, not run.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export PATH=$PATH:/usr/sbin:/sbin

default_state=${TEST_CLUSTER_STATE:-${XDG_STATE_HOME:-$HOME/.local/state}/topo-bench-test/cluster}
node=${TEST_CLUSTER_NODE:-real-1}                     # the real node's name
node_ip=10.99.0.1                                     # on bridge $node_bridge: API server, kubelet and DNS listen here
node_bridge=tcluster0
pod_bridge=tcluster1
pod_cidr=10.244.0.0/24
service_cidr=10.96.0.0/16
dns_ip=10.96.0.10
api_port=${TEST_CLUSTER_API_PORT:-16443}
owner_file=/run/topo-bench-test-cluster                # the state directory of the cluster that is up (one per machine)
etcd_port=${TEST_CLUSTER_ETCD_PORT:-12379}            # and the next one for etcd's peers

# What kubelet, kube-proxy and the bridge plug-in change; restored by down.sh.
sysctls="net.ipv4.ip_forward net.ipv4.conf.all.route_localnet net.bridge.bridge-nf-call-iptables
 vm.overcommit_memory vm.panic_on_oom kernel.panic kernel.panic_on_oops kernel.keys.root_maxkeys kernel.keys.root_maxbytes
 net.netfilter.nf_conntrack_max net.netfilter.nf_conntrack_tcp_timeout_established net.netfilter.nf_conntrack_tcp_timeout_close_wait"

say() { echo "test-cluster: $*" >&2; }
die() { say "$*"; exit 1; }

state_dir() { # absolute path of $1, or of the default
  S=$(realpath -m "${1:-$default_state}")
  [ ${#S} -le 64 ] || die "the state directory's path is too long for the sockets in it (64 characters at most): $S"
}
lock() { mkdir -p "$S"; exec 9>"$S/.lock"; flock -w 900 9 || die "another up.sh or down.sh holds $S/.lock"; }

# A process is known by its pid and its start time, so that a pid that was used again is never taken for ours.
started_at() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }
start() { # NAME COMMAND...
  local name=$1; shift
  setsid nohup "$@" >"$S/log/$name.log" 2>&1 </dev/null 9>&- &
  echo "$! $(started_at $!)" > "$S/run/$name.pid"
}
alive() { # NAME
  local pid at
  read -r pid at 2>/dev/null < "$S/run/$1.pid" || return 1
  [ -n "$at" ] && [ "$(started_at "$pid")" = "$at" ] && [ "$(sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null | cut -c1)" != Z ]
}
stop() { # NAME
  local pid i
  [ -f "$S/run/$1.pid" ] || return 0
  read -r pid _ < "$S/run/$1.pid"
  if alive "$1"; then
    kill -TERM "$pid" 2>/dev/null || true
    for ((i = 0; i < 100; i++)); do alive "$1" || break; sleep 0.1; done
    if alive "$1"; then kill -KILL "$pid" 2>/dev/null || true; sleep 0.2; fi
  fi
  rm -f "$S/run/$1.pid"
}
wait_for() { # SECONDS WHAT NAME COMMAND...: until COMMAND succeeds; fails if process NAME ends
  local end=$((SECONDS + $1)) what=$2 name=$3; shift 3
  until "$@" >/dev/null 2>&1; do
    alive "$name" || { tail -n 15 "$S/log/$name.log" >&2; die "$name ended while waiting for $what; its log: $S/log/$name.log"; }
    [ $SECONDS -lt $end ] || { tail -n 15 "$S/log/$name.log" >&2; die "no $what in time; logs: $S/log"; }
    sleep 0.1
  done
}
api() { # PATH [curl options]
  local path=$1; shift
  curl -sf --noproxy '*' --max-time 5 --cacert "$S/pki/ca.crt" --cert "$S/pki/admin.crt" --key "$S/pki/admin.key" "$@" "https://$node_ip:$api_port$path"
}
api_has() { api "$1" | grep -q "$2"; }
ctrk() { ctr -a "$S/ctd/c.sock" -n k8s.io "$@"; }

our_chains() { # TOOL TABLE: names of Kubernetes and CNI chains
  "$1" -w -t "$2" -S 2>/dev/null | awk '$1 == "-N" && $2 ~ /^(KUBE|CNI)-/ {print $2}'
}
