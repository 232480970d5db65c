#!/usr/bin/env bash
# node-image.sh [NAME]: imports a small Node.js base image, made of this machine's own node binary and its libraries.
# Default NAME: node-local:<node major>. It runs as user node (uid 1000) in /app. No-op if the engine has it already.
set -euo pipefail
case ${1:-} in -h|--help) sed -n '2,3s/^# //p' "$0"; exit 0;; esac
node=$(node -p 'require("fs").realpathSync(process.execPath)')
name=${1:-node-local:$(node -p 'process.versions.node.split(".")[0]')}
inputs=$({ cat "$node" "${BASH_SOURCE[0]}"; } | sha256sum | cut -d' ' -f1)
if [ "$(docker image inspect -f '{{index .Config.Labels "inputs"}}' "$name" 2>/dev/null)" = "$inputs" ]; then
  echo "docker-engine: $name is there" >&2; echo "$name"; exit 0
fi
R=$(mktemp -d); trap 'rm -rf "$R"' EXIT
mkdir -p "$R"/{usr/bin,usr/local/bin,tmp,etc/ssl/certs,app,proc,sys,dev,root}
cp -L "$node" "$R/usr/local/bin/node"
ln -s ../local/bin/node "$R/usr/bin/node"
libs=$(ldd "$node" | grep -oE '/[^ ]+')
libdir=$(dirname "$(grep -m1 '/libc\.so' <<< "$libs")")
for l in $libs "$libdir"/libnss_files.so.2 "$libdir"/libnss_dns.so.2 "$libdir"/libresolv.so.2; do # for getaddrinfo
  [ -e "$l" ] || continue
  mkdir -p "$R$(dirname "$l")"; cp -L "$l" "$R$l"
done
[ ! -f /etc/ssl/certs/ca-certificates.crt ] || cp -L /etc/ssl/certs/ca-certificates.crt "$R/etc/ssl/certs/"
printf 'root:x:0:0:root:/root:/usr/local/bin/node\nnode:x:1000:1000::/app:/usr/local/bin/node\n' > "$R/etc/passwd"
printf 'root:x:0:\nnode:x:1000:\n' > "$R/etc/group"
echo 'hosts: files dns' > "$R/etc/nsswitch.conf"
chmod 755 "$R"; chmod 1777 "$R/tmp"
tar -C "$R" --numeric-owner --owner=0 --group=0 -c . | docker import \
  --change 'ENV PATH=/usr/local/bin:/usr/bin' --change 'WORKDIR /app' --change 'USER 1000:1000' --change 'CMD ["node"]' \
  --change "LABEL inputs=$inputs" - "$name" >&2
echo "$name"
