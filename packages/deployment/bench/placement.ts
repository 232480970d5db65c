/**
 * Whether a cluster of many nodes admits the manifests of a large topology, and schedules each pod on the node that the
 * topology names. For clusters with fake nodes, on which no container runs. Needs `kubectl` and the right to label
 * nodes; removes its namespace and labels.
 *
 * `npm run bench:placement -- [--services 1000] [--nodes 200] [--selector type=kwok] [--minutes 15]`
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';

const { values: flags } = parseArgs({
  options: {
    services: { type: 'string', default: '1000' },
    nodes: { type: 'string', default: '200' },
    selector: { type: 'string', default: 'type=kwok' },
    minutes: { type: 'string', default: '15' },
  },
});
const nodeLabel = 'dev.topo-bench.node';
const roleLabel = 'dev.topo-bench.role';
const cli = fileURLToPath(new URL('../../cli/bin/topo-bench.js', import.meta.url));
const services = Number(flags.services);
const giveUpAt = performance.now() + Number(flags.minutes) * 60_000;

interface Pods {
  items: {
    metadata: { labels: Record<string, string> };
    spec: { nodeName?: string };
    status: { conditions?: { type: string; status: string; message?: string }[] };
  }[];
}

async function run(program: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)(program, args, { maxBuffer: 256 * 1024 ** 2 })).stdout;
}
const kubectl = (...args: string[]): Promise<string> => run('kubectl', ...args);
const seconds = (since: number): string => `${((performance.now() - since) / 1e3).toFixed(1)} s`;

/** Nodes of the topology, and the node of each service. Neighbours in the flow are on different nodes. */
const nodeOf = new Map<string, string>();
function topology(nodes: readonly string[]): string {
  const names = nodes.map((_, index) => `place-${index}`);
  const lines = Array.from({ length: services }, (_, index) => {
    const [name, node] = [`svc-${index}`, names[(index * 7) % names.length] as string];
    nodeOf.set(name, node);
    return `  - { name: ${name}, node: ${node} }`;
  });
  nodeOf.set('gateway', names[0] as string);
  return `apiVersion: topo-bench/v1
kind: Topology
name: placement
nodes: [${names.map((name) => `{ name: ${name}, region: eu }`).join(', ')}]
services:
${lines.join('\n')}
`;
}

interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: { template: { spec: object } };
}

/**
 * The base with the overlay of labelled nodes, and a toleration of the taints of fake nodes. `kubectl kustomize` does
 * the same, and takes many minutes for a thousand patches.
 */
async function manifests(project: string): Promise<Manifest[]> {
  const read = async (path: string): Promise<Manifest[]> =>
    parseAllDocuments(await readFile(join(project, path), 'utf8')).flatMap((one) => (one.toJS() as Manifest) ?? []);
  const files = ['base/namespace', 'base/documents', 'secrets/secrets', 'base/services', 'base/network-policies'];
  const others = (await Promise.all(files.map((file) => read(`${file}.yaml`)))).flat();
  const patches = new Map(
    (await read('overlays/labelled-nodes/node-selectors.yaml')).map(({ metadata, spec }) => [metadata.name, spec]),
  );
  const workloads = (await read('base/workloads.yaml')).map((workload) => {
    const { template } = workload.spec;
    const selector = patches.get(workload.metadata.name)?.template.spec;
    const spec = { ...template.spec, ...selector, tolerations: [{ operator: 'Exists' }] };
    return { ...workload, spec: { ...workload.spec, template: { ...template, spec } } };
  });
  return [...others, ...workloads];
}

/** Eight at a time. */
async function eachNode(work: (node: string, index: number) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < nodes.length; at += 8) {
    await Promise.all(nodes.slice(at, at + 8).map((node, index) => work(node, at + index)));
  }
}

async function podsOf(namespace: string): Promise<Pods['items']> {
  return (JSON.parse(await kubectl('get', 'pods', '-n', namespace, '-o', 'json')) as Pods).items;
}

const folder = await mkdtemp(join(tmpdir(), 'topo-bench-placement-'));
const found = (await kubectl('get', 'nodes', '-l', flags.selector, '-o', 'name')).trim().split('\n').filter(Boolean);
const nodes = found.map((name) => name.replace('node/', '')).slice(0, Number(flags.nodes));
let namespace = '';
try {
  if (nodes.length < Number(flags.nodes)) throw new Error(`got ${nodes.length} nodes with ${flags.selector}`);
  await writeFile(join(folder, 'topology.yaml'), topology(nodes));
  const generating = performance.now();
  await run(
    ...[process.execPath, cli, 'generate', join(folder, 'topology.yaml')],
    ...['--target', 'kubernetes', '--out', join(folder, 'project'), '--set', 'architecture=none'],
  );
  console.log(`generated in ${seconds(generating)}`);
  const labelling = performance.now();
  await eachNode((node, index) => kubectl('label', 'node', node, `${nodeLabel}=place-${index}`));
  console.log(`${nodes.length} nodes labelled in ${seconds(labelling)}`);

  const items = await manifests(join(folder, 'project'));
  const rendered = join(folder, 'all.json');
  await writeFile(rendered, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  namespace = items.find(({ kind }) => kind === 'Namespace')?.metadata.name as string;
  const admitting = performance.now();
  const created = (await kubectl('create', '-f', rendered)).trim().split('\n').length;
  console.log(`${created} objects admitted in ${seconds(admitting)}`);

  let pods = await podsOf(namespace);
  const isScheduled = ({ spec }: Pods['items'][number]): boolean => spec.nodeName !== undefined;
  while ((pods.length < nodeOf.size || !pods.every(isScheduled)) && performance.now() < giveUpAt) {
    await sleep(2000);
    pods = await podsOf(namespace);
  }
  const labelOf = new Map(nodes.map((node, index) => [node, `place-${index}`]));
  const right = pods.filter(
    ({ metadata, spec }) => labelOf.get(spec.nodeName ?? '') === nodeOf.get(metadata.labels[roleLabel] ?? ''),
  );
  const used = new Set(pods.map(({ spec }) => spec.nodeName));
  console.log(`${pods.filter(isScheduled).length} of ${nodeOf.size} pods scheduled after ${seconds(admitting)}`);
  console.log(`${right.length} of them where the topology places them, on ${used.size} nodes`);
  if (right.length < nodeOf.size) process.exitCode = 1;
} finally {
  if (namespace) {
    await kubectl('delete', 'namespace', namespace, '--wait=false');
    // No kubelet confirms their end.
    while ((await podsOf(namespace)).length > 0) {
      await kubectl('delete', 'pods', '--all', '-n', namespace, '--force', '--grace-period=0').catch(() => undefined);
    }
    await kubectl('wait', '--for=delete', `namespace/${namespace}`, '--timeout=300s');
  }
  await eachNode((node) => kubectl('label', 'node', node, `${nodeLabel}-`).catch(() => undefined));
  await rm(folder, { recursive: true, force: true });
}
