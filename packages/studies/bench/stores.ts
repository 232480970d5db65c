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
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, pairedRatio } from '@topo-bench/stats';
import { prepareStore } from '@topo-bench/stores';
import { startServer } from '@topo-bench/stores/servers/start-server';
import type { StoreWorkload } from '@topo-bench/workload';
import { pgbenchRates } from './pgbench.ts';
import { type Sides, startSides, takeTurns } from './sides.ts';

const isQuick = process.argv.includes('--quick');
// Many short rounds: the machine changes less between two sides that are close, and the interval gets narrower.
// Six are the fewest that bound one at 95% (signed ranks).
const rounds = isQuick ? 6 : 16;
const seconds = isQuick ? 1 : 1.5;
/**
 * Rounds that do not count: a fresh process keeps getting faster for a while, and the service has more code to warm.
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
try {
  const prepare = async (service: string) =>
    (await prepareStore({ url: server.url, configuration: 'sql-indexed', dataset, service })).url;
  const storeUrls = { service: await prepare('service'), bare: await prepare('driver') };
  const serviceEntry = join(dist, 'service.cjs');
  const sides = await startSides({ storeUrls, concurrency, connections, serviceEntry, logsDir });
  try {
    await compare(sides);
  } finally {
    await sides.stop();
  }
  const rates = pgbenchRates({ url: storeUrls.bare, dataset, clients: connections, seconds: 3 });
  if (rates !== undefined) {
    const figures = `${rates.reads.toFixed(0)} reads/s, ${rates.writes.toFixed(0)} writes/s`;
    console.log(`\npgbench with the same statements over ${connections} connections: ${figures}`);
  }
} finally {
  await server.stop();
  rmSync(logsDir, { recursive: true });
}

async function compare(sides: Sides): Promise<void> {
  const setting = `${concurrency} at once over ${connections} connections, ${rounds} rounds of ${seconds} s in turn`;
  console.log(`${server.source}, Node.js ${process.version}, ${availableParallelism()} cores; ${setting}\n`);
  console.log(
    '| | service, requests/s | bare driver, statements/s | ratio, 95% interval | wanted |\n|---|---:|---:|---:|---:|',
  );
  let used = 1;
  for (const [name, workload] of Object.entries(workloads)) {
    const first = used + warmUpRounds + 1;
    used += warmUpRounds + rounds;
    const rates = await takeTurns(sides, { warmUpRounds, rounds }, (round) => ({
      workload,
      repetition: first + round,
      seconds,
    }));
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
