/**
 * What a service adds to its store: requests per second of a service over PostgreSQL against statements per second of
 * the bare driver in one process, with the same statements, the same 50 at once and the same 20 connections. Both take
 * turns on one server, so that drift of the machine hits both alike; service, store and load generator share the
 * machine.
 *
 * What limits the service is not its own code: of its time on the processor half goes into writing to sockets, one to
 * the store and one to the client for each request, where the bare driver has the first alone.
 *
 * Usage: npm run bench:stores [-- --quick]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientToken, deploymentDocuments, planDeployment } from '@topo-bench/deployment';
import { createRunner } from '@topo-bench/runners';
import { median, pairedRatio } from '@topo-bench/stats';
import { prepareStore } from '@topo-bench/stores';
import { startServer } from '@topo-bench/stores/servers/start-server';
import { graphOf } from '@topo-bench/topology';
import type { StoreWorkload } from '@topo-bench/workload';
import type { BareJob } from './bare-driver.ts';
import type { LoopJob } from './closed-loop.ts';
import { pgbenchRates } from './pgbench.ts';

const isQuick = process.argv.includes('--quick');
// Many short rounds: the machine changes less between two sides that are close, and the interval gets narrower.
// Six are the fewest that bound one at 95% (signed ranks).
const rounds = isQuick ? 6 : 16;
const seconds = isQuick ? 1 : 1.5;
/**
 * Rounds that do not count: a fresh process goes on getting faster for a while, and the service has more code to warm.
 */
const warmUpRounds = isQuick ? 2 : 5;
const concurrency = 50;
const connections = 20;
const dataset = { rows: 20_000, seed: 1 };
const wanted = 0.5;

const classes = [{ name: 'order', weight: 1, origin: 'eu', purpose: 'contract', consents: [], payload: {} }];
const mix = { queries: 0.5, creates: 0.5, keys: 'zipfian', skew: 0.99, limit: 20 } as const;
const common = { ...mix, dataset, path: '/items', classes };
const workloads: Record<string, StoreWorkload> = { reads: { ...common, reads: 1 }, writes: { ...common, reads: 0 } };

const dist = fileURLToPath(new URL('../../cli/dist/', import.meta.url));
const logsDir = mkdtempSync(join(tmpdir(), 'topo-bench-stores-'));
const server = await startServer({ engine: 'postgresql' });
const started = (script: string) =>
  fork(fileURLToPath(new URL(script, import.meta.url)), { execArgv: ['--import', 'tsx'] });
const [bare, load] = [started('bare-driver.ts'), started('closed-loop.ts')];
try {
  const prepare = (service: string) =>
    prepareStore({ url: server.url, configuration: 'sql-indexed', dataset, service });
  const [ofService, ofDriver] = [await prepare('service'), await prepare('driver')];
  const deployment = await deploy(ofService.url);
  try {
    const url = deployment.roles.find(({ kind }) => kind === 'service')?.url ?? '';
    await compare({ url, token: deployment.clientToken }, ofDriver.url);
  } finally {
    await deployment.stop();
  }
  const rates = pgbenchRates({ url: ofDriver.url, dataset, clients: connections, seconds: 3 });
  if (rates !== undefined) {
    const figures = `${rates.reads.toFixed(0)} reads/s, ${rates.writes.toFixed(0)} writes/s`;
    console.log(`\npgbench with the same statements over ${connections} connections: ${figures}`);
  }
} finally {
  bare.disconnect();
  load.disconnect();
  await server.stop();
  rmSync(logsDir, { recursive: true });
}

async function deploy(storeUrl: string) {
  const persistence = { store: 'sql-indexed', pool: connections } as const;
  const graph = graphOf({
    apiVersion: 'topo-bench/v1',
    kind: 'Topology',
    name: 'bench',
    services: [{ name: 'items', persistence }],
  });
  const runner = await createRunner('local', { serviceEntry: join(dist, 'service.cjs') });
  const secret = randomBytes(32).toString('hex');
  const storeUrls = { items: storeUrl };
  const planned = { graph, plan: planDeployment(graph), seed: 1, secret, storeUrls };
  const deployment = await runner.start(planned.plan, (place) => deploymentDocuments({ ...planned, place }), {
    logsDir,
  });
  return { roles: deployment.roles, clientToken: clientToken(secret), stop: () => deployment.stop() };
}

type Target = Pick<LoopJob, 'url' | 'token'>;

async function compare(target: Target, driverUrl: string): Promise<void> {
  const setting = `${concurrency} at once over ${connections} connections, ${rounds} rounds of ${seconds} s in turn`;
  console.log(`${server.source}, Node.js ${process.version}, ${availableParallelism()} cores; ${setting}\n`);
  console.log(
    '| | service, requests/s | bare driver, statements/s | ratio, 95% interval | wanted |\n|---|---:|---:|---:|---:|',
  );
  // Each round writes other items: those of a round that has been are there already.
  let repetition = 1;
  for (const [name, workload] of Object.entries(workloads)) {
    const rates = { service: [] as number[], bare: [] as number[] };
    for (let round = -warmUpRounds; round < rounds; round++) {
      repetition++;
      const service = async () => serviceRate(target, workload, repetition);
      const driver = async () => bareRate(driverUrl, workload, repetition);
      const [first, second] = round % 2 === 0 ? [service, driver] : [driver, service];
      const [one, other] = [await first(), await second()];
      if (round < 0) continue;
      rates.service.push(round % 2 === 0 ? one : other);
      rates.bare.push(round % 2 === 0 ? other : one);
    }
    const { estimate, interval } = pairedRatio(rates.bare, rates.service, 0.05);
    const ends = interval.map((end) => end.toFixed(2)).join(', ');
    const figures = [
      median(rates.service).toFixed(0),
      median(rates.bare).toFixed(0),
      `${estimate.toFixed(2)} [${ends}]`,
    ];
    console.log(`| ${name} | ${figures.join(' | ')} | ≥ ${wanted} |`);
  }
}

/** @returns successful answers per second */
function serviceRate(target: Target, workload: StoreWorkload, repetition: number): Promise<number> {
  return ask(load, {
    ...target,
    workload,
    repetition,
    concurrency,
    seconds,
    requests: 10_000 * seconds,
  } satisfies LoopJob);
}

/** @returns statements per second */
function bareRate(url: string, workload: StoreWorkload, repetition: number): Promise<number> {
  const statements = 15_000 * seconds;
  return ask(bare, { url, workload, repetition, concurrency, connections, seconds, statements } satisfies BareJob);
}

/** Rejects when the process ends instead of answering. */
function ask(process: ChildProcess, job: LoopJob | BareJob): Promise<number> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('a process of the bench ended'));
    process.once('exit', ended);
    process.once('message', (rate) => {
      process.off('exit', ended);
      resolve(rate as number);
    });
    process.send(job);
  });
}
