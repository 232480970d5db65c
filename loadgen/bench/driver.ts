/**
 * `npm run bench:driver`: are the figures of the open driver true? Servers of known behaviour keep their own
 * timestamps; each tool's quantiles are compared with the server's log of that tool's own requests. All tools have the
 * same privilege and warm-up, and take turns in an order that rotates from round to round. Rounds on a restless host
 * are measured again, for all alike. Takes about an hour; the host should have nothing else to do.
 * Usage: bench:driver [--quick] [--json] [--no-peers] [--seconds N (even)] [--rounds N] [--server '5 ms'] [--let-sleep]
 */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ArrivalLaw, arrivalLaws } from '@topo-bench/core/schema/experiment';
import { keepCoresAwake } from '@topo-bench/host';
import { bundle, endBundler, workerEntry } from './bundle.ts';
import {
  type KnownServer,
  maxRateOfChunksRps,
  type ServerKind,
  serverKinds,
  startKnownServer,
} from './known-server.ts';
import { type Load, measureDriver, measurePeer, type TestBed } from './measure.ts';
import { findPeers } from './peers/find-peers.ts';
import { type PeerRound, pooledRow, type Round, sleepersQuantiles } from './pooled-row.ts';
import { startRoundTripProbe } from './round-trip-probe.ts';
import { formatRow, formatVerdict, heading } from './table.ts';
import { isRestless, judge, type Restless, type Row } from './verdict.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    'no-peers': { type: 'boolean', default: false },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    server: { type: 'string' },
    'let-sleep': { type: 'boolean', default: false },
  },
});
// Shorter, p99.9 at 100 req/s is the one worst request.
const seconds = Number(values.seconds ?? (values.quick ? 4 : 10));
const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
/** Measurements of a round, the first included: a round on a restless host is measured again. */
const maxTriesOfRound = 4;
const rates = values.quick ? [100, 1000] : [100, 500, 1000];
const kinds = serverKinds
  .filter(({ name }) => values.server === undefined || values.server === name)
  .filter(({ delayMs, stallMs }) => !values.quick || delayMs === 0 || stallMs > 0);
const peers = values['no-peers'] ? [] : findPeers();
const say = (line: string): void => {
  if (!values.json) console.log(line);
};

const folder = await mkdtemp(join(tmpdir(), 'bench-driver-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130));
const built = async (name: string): Promise<string> => {
  const path = join(folder, `${name}.mjs`);
  await bundle(new URL(`./${name}.ts`, import.meta.url), path);
  return path;
};
const rows: Row[] = [];
// For all tools alike, as topo-bench does for the loads of its users.
const awake = values['let-sleep'] ? undefined : await keepCoresAwake();
try {
  const worker = join(folder, 'load-worker.mjs');
  await bundle(workerEntry, worker);
  const serverScript = await built('known-server-process');
  const probeScript = await built('round-trip-process');
  await endBundler();
  const roundTrips = await startRoundTripProbe(probeScript);
  say(
    `topo-bench next to ${peers.map(({ name }) => name).join(', ') || 'no other tool'}; ${rounds} × ${seconds} s each; cores ${awake ? 'kept awake' : 'may sleep'}; times in ms\n\n${heading}`,
  );
  for (const kind of kinds) {
    const servers = serversOf(kind, serverScript);
    for (const rateRps of rates.filter((rate) => !kind.chunkBytes || rate <= maxRateOfChunksRps)) {
      for (const arrivals of kind.ordinary ? (['constant'] as const) : arrivalLaws) {
        const row = await measureRow({ folder, worker, roundTrips }, servers, { kind, arrivals, rateRps, seconds });
        rows.push(row);
        say(formatRow(row));
      }
    }
    await servers.close();
  }
  roundTrips.close();
} finally {
  await awake?.end();
}
const verdict = judge(rows);
console.log(values.json ? JSON.stringify({ seconds, rounds, rows, ...verdict }, null, 2) : formatVerdict(verdict));
process.exitCode = verdict.passed ? 0 : 1;

interface Servers {
  /** Runs a measurement on a server. */
  with<Result>(measure: (server: KnownServer) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** One warm server for all measurements, or a fresh one for each of them. */
function serversOf(kind: ServerKind, script: string): Servers {
  const shared = kind.ordinary ? undefined : startKnownServer(script, kind);
  return {
    async with(measure) {
      const server = await (shared ?? startKnownServer(script, kind));
      try {
        return await measure(server);
      } finally {
        if (!shared) await server.close();
      }
    },
    close: async () => (await shared)?.close(),
  };
}

async function measureRow(
  testBed: TestBed,
  servers: Servers,
  load: Omit<Load, 'server'> & { arrivals: ArrivalLaw },
): Promise<Row> {
  const { kind, arrivals, rateRps } = load;
  const ours: Round[] = [];
  const theirs: PeerRound[] = [];
  const restless = new Map<string, Restless>();
  // Other tools know constant arrivals only.
  const others = arrivals === 'constant' ? peers : [];
  for (let round = 0; round < rounds; round++) {
    const own = (server: KnownServer): Promise<Round> =>
      measureDriver(testBed, { ...load, server, repetition: round + 1, nextToOthers: others.length > 0 });
    const turns = [
      async () => void ours.push(await onQuietHost('topo-bench', servers, restless, own)),
      ...others.map((peer) => async () => {
        const measure = (server: KnownServer): Promise<PeerRound> => measurePeer(testBed, peer, { ...load, server });
        theirs.push(await onQuietHost(peer.name, servers, restless, measure));
      }),
    ];
    for (let turn = 0; turn < turns.length; turn++) await turns[(turn + round) % turns.length]?.();
  }
  return pooledRow(
    {
      server: kind.name,
      arrivals,
      rateRps,
      judged: !kind.ordinary && !kind.chunkBytes,
      restless: restless.get('topo-bench') ?? { givenUp: 0, kept: 0 },
    },
    ours,
    theirs,
    restless,
  );
}

/** Measures again while the host was restless, a bounded number of times; counts both. */
async function onQuietHost<Result extends { slept: Float64Array }>(
  tool: string,
  servers: Servers,
  counts: Map<string, Restless>,
  measure: (server: KnownServer) => Promise<Result>,
): Promise<Result> {
  const count = counts.get(tool) ?? { givenUp: 0, kept: 0 };
  counts.set(tool, count);
  let result = await servers.with(measure);
  for (let tries = 1; tries < maxTriesOfRound && isRestless(sleepersQuantiles([result])); tries++) {
    count.givenUp++;
    result = await servers.with(measure);
  }
  if (isRestless(sleepersQuantiles([result]))) count.kept++;
  return result;
}
