#!/usr/bin/env bash
# up.sh [STATE_DIR]: a real one-node Kubernetes v1.34.4 on this machine (root, Debian; nothing is pulled).
# Last line of stdout: export KUBECONFIG=...   Everything else goes to stderr. No-op if the cluster is up.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
case ${1:-} in -h|--help) sed -n '2,3s/^# //p' "$0"; exit 0;; esac
[ "$(id -u)" = 0 ] || die "needs root"
state_dir "${1:-}"
lock
t0=$(date +%s%3N)
ms() { echo $(( $(date +%s%3N) - t0 )) ms; }

servers="etcd apiserver controller-manager scheduler containerd kubelet proxy"
up=1; for n in $servers; do alive "$n" || up=0; done
[ $up = 1 ] && api /readyz >/dev/null || up=0
if [ $up = 1 ]; then say "already up"; echo "export KUBECONFIG=$S/kubeconfig"; exit 0; fi
if other=$(cat $owner_file 2>/dev/null) && [ "$other" != "$S" ] && [ -d "$other/run" ]; then
  lives=0; for n in $servers; do S=$other alive "$n" && lives=1; done
  [ $lives = 0 ] || die "one cluster per machine: the one in $other is in the way; end it first: $here/down.sh $other"
  say "cleaning up what is left of a cluster that was killed: $other"
  "$here/down.sh" "$other" 9>&- || die "could not clean up $other"
fi
if [ -d "$S/run" ]; then say "cleaning up what is left of an earlier cluster"; flock -u 9; "$here/down.sh" "$S"; lock; fi

# --- programs -----------------------------------------------------------------------------------------------------
pkgs=()
need() { command -v "$1" >/dev/null || pkgs+=("$2"); }
need containerd containerd; need ctr containerd; need runc runc
need iptables iptables; need conntrack conntrack; need ethtool ethtool; need socat socat; need openssl openssl
need curl curl; need ip iproute2; need mount mount
[ -x /usr/lib/cni/bridge ] || pkgs+=(containernetworking-plugins)
if [ ${#pkgs[@]} -gt 0 ]; then
  say "apt-get install ${pkgs[*]}"
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update -qq && apt-get install -y --no-install-recommends "${pkgs[@]}"; } >&2 9>&-
fi
bin=$("$here/build.sh" 9>&-)
k8s=$bin/k8s
t0=$(date +%s%3N)

# --- taken before anything changes; down.sh restores it -----------------------------------------------------------
mkdir -p "$S"/{run,log,pki,etc,cni,ctd}
echo "$S" > $owner_file
rm -f "$S"/log/*.log
for k in $sysctls; do v=$(sysctl -n "$k" 2>/dev/null) && echo "$k=$v"; done > "$S/sysctls" || true
for ipt in iptables ip6tables; do for t in filter nat mangle; do our_chains $ipt $t | sed "s/^/$ipt $t /"; done; done > "$S/chains" || true
for d in /var/lib/kubelet /var/log/containers /var/lib/cni; do [ -e $d ] || echo $d; done > "$S/dirs"
on_fail() { say "failed: taking down what was started (logs stay in $S/log)"; flock -u 9; "$here/down.sh" "$S" || true; }
trap 'rc=$?; [ $rc = 0 ] || on_fail; exit $rc' EXIT
trap 'exit 130' INT; trap 'exit 143' TERM

# --- certificates and kubeconfigs ---------------------------------------------------------------------------------
( cd "$S/pki"
  umask 077
  openssl genrsa -out sa.key 2048 2>/dev/null
  openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -days 30 -subj /CN=test-cluster-ca 2>/dev/null
  sign() { # NAME SUBJECT SAN
    openssl req -newkey rsa:2048 -nodes -keyout "$1.key" -out "$1.csr" -subj "$2" 2>/dev/null
    printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$3" > "$1.ext"
    openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 30 -extfile "$1.ext" -out "$1.crt" 2>/dev/null
    rm "$1.csr" "$1.ext"
  }
  sign apiserver /CN=kube-apiserver "IP:127.0.0.1,IP:$node_ip,IP:10.96.0.1,DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local"
  sign admin /O=system:masters/CN=admin DNS:localhost
  sign node "/O=system:nodes/CN=system:node:$node" "IP:$node_ip,DNS:$node,DNS:localhost"
  for u in admin node; do cat > "../etc/$u.kubeconfig" <<Y
apiVersion: v1
kind: Config
clusters: [{name: test-cluster, cluster: {server: "https://$node_ip:$api_port", certificate-authority-data: $(base64 -w0 ca.crt)}}]
users: [{name: $u, user: {client-certificate-data: $(base64 -w0 $u.crt), client-key-data: $(base64 -w0 $u.key)}}]
contexts: [{name: test-cluster, context: {cluster: test-cluster, user: $u}}]
current-context: test-cluster
Y
  done
  cp ../etc/admin.kubeconfig ../kubeconfig )
admin=$S/etc/admin.kubeconfig

# --- network ------------------------------------------------------------------------------------------------------
ip link show $node_bridge >/dev/null 2>&1 || ip link add $node_bridge type bridge
ip addr replace $node_ip/32 dev $node_bridge
ip link set $node_bridge up
sysctl -qw net.ipv4.ip_forward=1
# pod -> Service -> pod on one bridge needs the answer to pass through netfilter too
sysctl -qw net.bridge.bridge-nf-call-iptables=1 2>/dev/null || say "warning: no br_netfilter, pods may not reach each other through a Service"
# a container engine may have set the FORWARD policy to DROP
for o in -i -o; do
  iptables -w -C FORWARD $o $pod_bridge -m comment --comment test-cluster -j ACCEPT 2>/dev/null ||
    iptables -w -I FORWARD $o $pod_bridge -m comment --comment test-cluster -j ACCEPT
done
cat > "$S/cni/10-bridge.conflist" <<Y
{"cniVersion": "1.0.0", "name": "test-cluster", "plugins": [
  {"type": "bridge", "bridge": "$pod_bridge", "isGateway": true, "ipMasq": true, "hairpinMode": true,
   "ipam": {"type": "host-local", "dataDir": "$S/ipam", "ranges": [[{"subnet": "$pod_cidr"}]], "routes": [{"dst": "0.0.0.0/0"}]}},
  {"type": "portmap", "capabilities": {"portMappings": true}}]}
Y

# --- containerd ---------------------------------------------------------------------------------------------------
cat > "$S/etc/containerd.toml" <<Y
version = 2
root = "$S/ctd/root"
state = "$S/ctd/state"
disabled_plugins = ["io.containerd.internal.v1.opt", "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.aufs"]
[grpc]
  address = "$S/ctd/c.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/pause:local"
  restrict_oom_score_adj = true
  disable_apparmor = true
  netns_mounts_under_state_dir = true
  stream_server_address = "127.0.0.1"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      SystemdCgroup = false
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "$S/cni"
Y
start containerd containerd -c "$S/etc/containerd.toml"

# --- control plane ------------------------------------------------------------------------------------------------
start etcd "$k8s" etcd --data-dir "$S/etcd" --unsafe-no-fsync \
  --listen-client-urls "http://127.0.0.1:$etcd_port" --advertise-client-urls "http://127.0.0.1:$etcd_port" \
  --listen-peer-urls "http://127.0.0.1:$((etcd_port + 1))" --initial-advertise-peer-urls "http://127.0.0.1:$((etcd_port + 1))" \
  --initial-cluster "default=http://127.0.0.1:$((etcd_port + 1))"
wait_for 20 "etcd" etcd curl -sf --noproxy '*' "http://127.0.0.1:$etcd_port/health"
start apiserver "$k8s" apiserver --etcd-servers "http://127.0.0.1:$etcd_port" \
  --bind-address $node_ip --advertise-address $node_ip --secure-port "$api_port" \
  --tls-cert-file "$S/pki/apiserver.crt" --tls-private-key-file "$S/pki/apiserver.key" --client-ca-file "$S/pki/ca.crt" \
  --kubelet-certificate-authority "$S/pki/ca.crt" --kubelet-client-certificate "$S/pki/admin.crt" --kubelet-client-key "$S/pki/admin.key" \
  --kubelet-preferred-address-types InternalIP --authorization-mode Node,RBAC --enable-admission-plugins NodeRestriction \
  --service-account-issuer https://kubernetes.default.svc --service-account-key-file "$S/pki/sa.key" \
  --service-account-signing-key-file "$S/pki/sa.key" --service-cluster-ip-range $service_cidr --profiling=false

# the pause image, while the API server starts
wait_for 30 "containerd" containerd ctrk version
( d=$S/etc/pause; rm -rf "$d"; mkdir -p "$d/root"; cp "$bin/pause" "$d/root/pause"; chmod 755 "$d/root/pause"
  tar -C "$d/root" --owner=0 --group=0 --numeric-owner --mtime=@0 -cf "$d/layer.tar" pause
  sum=$(sha256sum "$d/layer.tar" | cut -d' ' -f1); arch=$(dpkg --print-architecture)
  echo "{\"architecture\":\"$arch\",\"os\":\"linux\",\"config\":{\"User\":\"65535:65535\",\"Entrypoint\":[\"/pause\"]},\"rootfs\":{\"type\":\"layers\",\"diff_ids\":[\"sha256:$sum\"]}}" > "$d/config.json"
  echo '[{"Config":"config.json","RepoTags":["localhost/pause:local"],"Layers":["layer.tar"]}]' > "$d/manifest.json"
  tar -C "$d" -cf "$d/image.tar" manifest.json config.json layer.tar
  ctrk images import "$d/image.tar" >&2; rm -rf "$d" )

wait_for 90 "API server" apiserver api /readyz
say "API server ready after $(ms)"
start controller-manager "$k8s" controller-manager --kubeconfig "$admin" --authentication-kubeconfig "$admin" --authorization-kubeconfig "$admin" \
  --bind-address 127.0.0.1 --service-account-private-key-file "$S/pki/sa.key" --root-ca-file "$S/pki/ca.crt" \
  --leader-elect=false --use-service-account-credentials=false --flex-volume-plugin-dir "$S/kubelet-plugins"
start scheduler "$k8s" scheduler --kubeconfig "$admin" --authentication-kubeconfig "$admin" --authorization-kubeconfig "$admin" \
  --bind-address 127.0.0.1 --leader-elect=false

# --- node ---------------------------------------------------------------------------------------------------------
cat > "$S/etc/kubelet.yaml" <<Y
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: $node_ip
healthzBindAddress: 127.0.0.1
readOnlyPort: 0
authentication: {anonymous: {enabled: false}, webhook: {enabled: true}, x509: {clientCAFile: $S/pki/ca.crt}}
authorization: {mode: Webhook}
tlsCertFile: $S/pki/node.crt
tlsPrivateKeyFile: $S/pki/node.key
containerRuntimeEndpoint: unix://$S/ctd/c.sock
cgroupDriver: cgroupfs
failCgroupV1: false
failSwapOn: false
oomScoreAdj: 0
clusterDNS: [$dns_ip]
clusterDomain: cluster.local
resolvConf: /etc/resolv.conf
podLogsDir: $S/podlogs
volumePluginDir: $S/kubelet-plugins
evictionHard: {nodefs.available: "1%", imagefs.available: "1%", memory.available: 100Mi}
imageGCHighThresholdPercent: 100
imageGCLowThresholdPercent: 99
Y
mkdir -p "$S/podlogs"
start kubelet "$k8s" kubelet --config "$S/etc/kubelet.yaml" --kubeconfig "$S/etc/node.kubeconfig" --root-dir "$S/kubelet" \
  --cert-dir "$S/kubelet-pki" --hostname-override "$node" --node-ip $node_ip
cat > "$S/etc/proxy.yaml" <<Y
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: iptables
iptables: {minSyncPeriod: 200ms}
clientConnection: {kubeconfig: $admin}
clusterCIDR: $pod_cidr
hostnameOverride: $node
oomScoreAdj: 0
healthzBindAddress: 127.0.0.1:10256
metricsBindAddress: 127.0.0.1:10249
nodePortAddresses: ["127.0.0.0/8"]
conntrack: {maxPerCore: 0, min: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
Y
start proxy "$k8s" proxy --config "$S/etc/proxy.yaml"

# --- DNS: CoreDNS as a process next to the kubelet, behind the usual kube-dns Service -------------------------------
if [ -x "$bin/coredns" ] && [ "${TEST_CLUSTER_DNS:-1}" != 0 ]; then
  { echo ".:1053 {"
    echo "  bind $node_ip"
    echo "  errors"
    echo "  health 127.0.0.1:18053"
    echo "  ready 127.0.0.1:18054"
    echo "  kubernetes cluster.local in-addr.arpa ip6.arpa {"
    echo "    kubeconfig $admin test-cluster"
    echo "    pods insecure"
    echo "    ttl 5"
    echo "    fallthrough in-addr.arpa ip6.arpa"
    echo "  }"
    if grep -q '^nameserver' /etc/resolv.conf 2>/dev/null; then echo "  forward . /etc/resolv.conf"; fi
    echo "}"; } > "$S/etc/Corefile"
  start coredns "$bin/coredns" -conf "$S/etc/Corefile"
  post() { api "$1" -X POST -H 'Content-Type: application/json' -d "$2"; }
  wait_for 30 "the kube-system namespace" apiserver api /api/v1/namespaces/kube-system
  post /api/v1/namespaces/kube-system/services '{"metadata":{"name":"kube-dns","labels":{"k8s-app":"kube-dns"}},"spec":{"clusterIP":"'$dns_ip'","ports":[{"name":"dns","port":53,"targetPort":1053,"protocol":"UDP"},{"name":"dns-tcp","port":53,"targetPort":1053,"protocol":"TCP"}]}}' >/dev/null
  post /apis/discovery.k8s.io/v1/namespaces/kube-system/endpointslices '{"metadata":{"name":"kube-dns","labels":{"kubernetes.io/service-name":"kube-dns"}},"addressType":"IPv4","endpoints":[{"addresses":["'$node_ip'"],"conditions":{"ready":true}}],"ports":[{"name":"dns","port":1053,"protocol":"UDP"},{"name":"dns-tcp","port":1053,"protocol":"TCP"}]}' >/dev/null
  wait_for 30 "DNS" coredns curl -sf --noproxy '*' http://127.0.0.1:18054/ready
fi

wait_for 60 "default ServiceAccount" controller-manager api /api/v1/namespaces/default/serviceaccounts/default
node_ready() { api "/api/v1/nodes/$node" | tr -d ' \n' | grep -Eq '"type":"Ready","status":"True"'; }
wait_for 90 "ready node $node" kubelet node_ready
wait_for 60 "kube-proxy" proxy curl -sf --noproxy '*' http://127.0.0.1:10256/healthz
schedulable() { api "/api/v1/nodes/$node" | tr -d ' \n' | grep -vq not-ready; }
wait_for 30 "node without the not-ready taint" controller-manager schedulable
for n in $servers; do alive "$n" || { tail -n 15 "$S/log/$n.log" >&2; die "$n ended"; }; done
say "up after $(ms)"
trap - EXIT
echo "export KUBECONFIG=$S/kubeconfig"
