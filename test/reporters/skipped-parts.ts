/** Names what this machine lacks once, after all tests: how many were skipped for each part, and what adds it. */
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';

/** The first pattern that matches the note of a skip, or the titles of the test, names the part. */
const parts: readonly (readonly [pattern: RegExp, part: string, add: string])[] = [
  [/chromium/i, 'Chromium', 'apt-get install chromium, or set CHROMIUM_PATH'],
  [/compose/i, 'Compose', 'install docker compose'],
  [/kubectl|cluster|kubeconfig|\bpods?\b/i, 'a Kubernetes cluster', 'put kubectl on the PATH and set KUBECONFIG'],
  [/engine answers|docker|container/i, 'a container engine', 'start Docker or Podman'],
  [/pyairbyte/i, 'PyAirbyte', 'pip install airbyte, and set TOPO_BENCH_AIRBYTE_PYTHON'],
  [/pyarrow|adbc/i, 'Python with pyarrow', 'pip install pyarrow adbc-driver-flightsql, or set TOPO_BENCH_PYTHON'],
  [/mysql|mariadb/i, 'MariaDB', 'apt-get install mariadb-server'],
  [
    /mongod|DocumentDB|document store/i,
    'a server of MongoDB’s protocol',
    'put mongod on the PATH, or pip install secantusdb',
  ],
  [/pgbouncer/i, 'PgBouncer', 'apt-get install pgbouncer'],
  [/redis|key-value/i, 'Redis', 'apt-get install redis-server'],
  [/h2spec|conformance/i, 'h2spec', 'go install github.com/summerwind/h2spec/cmd/h2spec'],
  [/openssl/i, 'openssl', 'apt-get install openssl'],
  [/curl/i, 'curl', 'apt-get install curl'],
  [/\b(bash|zsh|fish)\b/, 'bash, zsh and fish', 'apt-get install zsh fish'],
  [/root|mount|privilege|ordinary user/i, 'the rights of root', 'run the tests as root'],
  [/cassandra|ignite|hbase|hazelcast|flink/i, 'Java servers', 'see docs/streams.md'],
];

export default class SkippedParts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const said = modules.flatMap((module) => [...module.children.allTests('skipped')].map(whySkipped));
    if (said.length > 0) console.log(skippedByPart(said).join('\n'));
  }
}

/**
 * @param said note or titles of each skipped test
 * @returns lines of text, the part with the most tests first
 */
export function skippedByPart(said: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const why of said) {
    const found = parts.find(([pattern]) => pattern.test(why));
    const line = found === undefined ? why : `${found[1]} (to add it: ${found[2]})`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const byCount = [...counts].sort(([, a], [, b]) => b - a);
  return [
    '\nSkipped tests, by what this machine lacks:',
    ...byCount.map(([line, count]) => `${String(count).padStart(6)}  ${line}`),
    'npx topo-bench doctor names the parts that the product itself can use.\n',
  ];
}

/** The note of the skip, or the titles from the outermost suite on. */
function whySkipped(test: TestCase): string {
  const result = test.result();
  const note = result.state === 'skipped' ? result.note : undefined;
  if (note) return note.split('\n', 1)[0] ?? note;
  const titles = [test.name];
  for (let node: TestSuite | TestModule = test.parent; node.type === 'suite'; node = node.parent)
    titles.unshift(node.name);
  return titles.join(' > ').slice(0, 160);
}
