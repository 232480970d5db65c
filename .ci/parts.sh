# Steps of the checks, and what they install: sourced by run and full.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CI=true
failures=0
work=$(mktemp -d)
background=
trap end EXIT

step() {
  local title=$1; shift
  echo "== $title"
  local started=$SECONDS
  if "$@"; then echo "   ok ($((SECONDS - started)) s)"; else echo "   FAILED: $title"; failures=$((failures + 1)); fi
}

# Starts a function in the background, in a process group of its own. Its log is shown if it fails.
# Arguments: the name of the part, and the function that makes it.
in_background() {
  set -m
  ( trap - EXIT; "$2" ) >"$work/$1.log" 2>&1 </dev/null &
  set +m
  declare -g "pid_$1=$!"
  background+=" $!"
}
ended() {
  local pid="pid_$1"
  wait "${!pid}" || { tail -n 20 "$work/$1.log"; return 1; }
}

end() {
  for pid in $background; do kill -- "-$pid" 2>/dev/null && wait "$pid" 2>/dev/null; done
  [ ! -d "$work/cluster" ] || .ci/test-cluster/down.sh "$work/cluster"
  [ ! -d "$work/engine" ] || .ci/docker-engine/down.sh "$work/engine"
  rm -rf "$work"
}

# Arguments: PACKAGE:COMMAND, each installed where its command is missing.
install_packages() {
  local missing=()
  for part in "$@"; do PATH="$PATH:/usr/sbin" command -v "${part#*:}" >/dev/null || missing+=("${part%:*}"); done
  [ ${#missing[@]} -eq 0 ] && return 0
  export DEBIAN_FRONTEND=noninteractive
  # An installation that was killed before keeps every later one from starting.
  dpkg --configure -a >/dev/null 2>&1
  apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}" fonts-dejavu-core >/dev/null
}

system_parts() {
  install_packages chromium:chromium mariadb-server:mariadbd redis-server:redis-server pgbouncer:pgbouncer openssl:openssl zsh:zsh \
    fish:fish curl:curl debootstrap:debootstrap && install_document_server && install_h2spec
}

# A server of MongoDB's protocol without a download of its own. Systems refuse Python packages outside an environment.
install_document_server() {
  command -v mongod >/dev/null || command -v secantusd-py >/dev/null && return 0
  python3 -m venv "$work/documents" && "$work/documents/bin/pip" install --quiet secantusdb==0.7.0b3 &&
    export PATH="$PATH:$work/documents/bin"
}

# Go's own place for its toolchain, before the one of Debian, which is too old to build Kubernetes.
export PATH="/usr/local/go/bin:$PATH"

# The conformance suite of HTTP/2, built from Go modules.
install_h2spec() {
  command -v h2spec >/dev/null && return 0
  install_packages golang-go:go &&
    (cd .ci/h2spec && go build -o "$work/h2spec/" github.com/summerwind/h2spec/cmd/h2spec) &&
    export PATH="$PATH:$work/h2spec"
}

# The other side of the interop tests of Arrow Flight and Flight SQL, and a client that drives the source connectors. It
# pins versions of its own, so it has an environment of its own. CONTRIBUTING.md has the reason why hashes are not
# checked.
make_python_parts() {
  python3 -m venv "$work/python" &&
    "$work/python/bin/pip" install --quiet pyarrow==26.0.1 numpy==2.4.6 adbc-driver-flightsql==1.13.0 adbc-driver-manager==1.13.0 &&
    python3 -m venv "$work/airbyte" && "$work/airbyte/bin/pip" install --quiet airbyte==0.71.3
}
python_parts() {
  ended python && export TOPO_BENCH_PYTHON="$work/python/bin/python" TOPO_BENCH_AIRBYTE_PYTHON="$work/airbyte/bin/python"
}

# Servers that are Java programs: Maven makes the folder lib of an installation, and builds the job for Flink.
make_java_servers() {
  for server in .ci/java-servers/*/; do
    mvn --quiet --batch-mode --file "$server/pom.xml" dependency:copy-dependencies -DincludeScope=runtime \
      -DoutputDirectory="$work/java-servers/$(basename "$server")/lib" || return 1
  done
  mvn --quiet --batch-mode --file packages/guests/streams/flink-job/pom.xml package dependency:copy-dependencies \
    -DincludeScope=provided -DoutputDirectory="$work/java-servers/flink/lib"
}
java_servers() {
  ended java || return 1
  export CASSANDRA_HOME="$work/java-servers/cassandra" HAZELCAST_HOME="$work/java-servers/hazelcast"
  export FLINK_HOME="$work/java-servers/flink" IGNITE_HOME="$work/java-servers/ignite"
  export HBASE_HOME="$work/java-servers/hbase"
}

# A real container engine, and a base image made of this machine's own Node.js: no image registry is needed.
container_engine() {
  install_packages docker-compose:docker-compose kubernetes-client:kubectl && .ci/docker-engine/up.sh "$work/engine" &&
    TOPO_BENCH_BASE_IMAGE=$(.ci/docker-engine/node-image.sh) && export TOPO_BENCH_BASE_IMAGE
}

# A real one-node cluster. Its build takes minutes of processor time.
make_cluster() { [ -n "${KUBECONFIG:-}" ] || nice -n 19 .ci/test-cluster/build.sh; }
cluster() {
  [ -n "${KUBECONFIG:-}" ] && return 0
  ended cluster || return 1
  KUBECONFIG=$(.ci/test-cluster/up.sh "$work/cluster" | sed -n '$s/^export KUBECONFIG=//p') && export KUBECONFIG &&
    node packages/cli/bin/topo-bench.js generate quickstart --target kubernetes --out "$work/project" --build >/dev/null &&
    .ci/test-cluster/import-image.sh "topo-bench/service:$(node -p 'require("./packages/cli/package.json").version')" "$work/cluster"
}

static_checks() {
  step 'install and build' npm run --silent setup
  step 'lint' npm run --silent lint
  step 'types' npm run --silent types
  step 'import boundaries' npm run --silent boundaries
  step 'generated files' npm run --silent check:generated
}

# Runs tests, and a file that failed next to others once more, alone. The closing lines name what passed only then.
# Arguments: the report, folders or files of tests (empty for all), and a command that takes these and vitest's options.
# The report of a second run is named after the first. A run that hangs is ended.
# shellcheck disable=SC2086 # lists of paths without blanks
tests() {
  local report=$1 files=$2; shift 2
  local reporters=(--reporter=default --reporter=json --reporter=./test/reporters/skipped-parts.ts)
  timeout --verbose --kill-after=30s 90m "$@" $files "${reporters[@]}" --outputFile="$report" 2>&1 | tee "$report.log" && return 0
  [ -e "$report" ] || { echo '   no report: the tests did not end by themselves, or not within 90 minutes'; return 1; }
  # Errors outside tests are not in the report.
  grep -q 'Unhandled Error' "$report.log" && return 1
  local failed
  failed=$(node .ci/test-counts.mjs --failed-files "$report") && [ -n "$failed" ] || return 1
  echo "== once more, alone: $failed"
  "$@" $failed "${reporters[@]}" --outputFile="${report%.json}-again.json" --no-file-parallelism
}
