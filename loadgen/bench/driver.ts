/**
 * `npm run bench:driver`: is the open driver's picture of a server true? Servers of known behaviour keep their own timestamps; the driver's
 * quantiles are compared with theirs, and with those of other load generators on the same server. Tools take turns; figures are those of all
 * rounds (of two of three for the others, which otherwise would take most of the time); rounds on a restless host are measured again.
 * Takes about half an hour; the host should have nothing else to do.
 * Usage: bench:driver [--quick] [--json] [--no-peers] [--seconds N (even)] [--rounds N] [--server '5 ms'] [--let-sleep]
 */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ArrivalLaw, arrivalLaws } from '@topo-bench/core/schema/experiment';
import { keepCoresAwake } from '../src/host/keep-awake.ts';
import { bundle, endBundler, workerEntry } from './bundle.ts';
import { serverKinds, startKnownServer } from './known-server.ts';
import { type Bench, type Load, measureDriver, measurePeer } from './measure.ts';
import { findPeers } from './peers/find-peers.ts';
import { pooledRow, type Round, sleepersQuantiles } from './pooled-row.ts';
import { startRoundTripProbe } from './round-trip-probe.ts';
import { formatRow, formatVerdict, heading } from './table.ts';
import { isRestless, judge, type PeerFigures, type Row } from './verdict.ts';

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
// At 100 req/s, p99.9 of less than this is the one worst request, whatever befell it.
const seconds = Number(values.seconds ?? (values.quick ? 4 : 10));
const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
/** A round on a restless host is measured again, at most so often in all. */
const triesOfRound = 4;
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
    `topo-bench beside ${peers.map(({ name }) => name).join(', ') || 'no other tool'}; ${rounds} × ${seconds} s each; cores ${awake ? 'kept awake' : 'may sleep'}; times in ms\n\n${heading}`,
  );
  for (const kind of kinds) {
    const server = await startKnownServer(serverScript, kind);
    for (const rateRps of rates) {
      for (const arrivals of arrivalLaws) {
        const row = await measureRow({ folder, worker, roundTrips }, { kind, server, arrivals, rateRps, seconds });
        rows.push(row);
        say(formatRow(row));
      }
    }
    await server.close();
  }
  roundTrips.close();
} finally {
  await awake?.end();
}
const verdict = judge(rows);
console.log(values.json ? JSON.stringify({ seconds, rounds, rows, ...verdict }, null, 2) : formatVerdict(verdict));
process.exitCode = verdict.passed ? 0 : 1;

async function measureRow(bench: Bench, load: Load & { arrivals: ArrivalLaw }): Promise<Row> {
  const measured: Round[] = [];
  const theirs: PeerFigures[] = [];
  const restless = { givenUp: 0, kept: 0 };
  for (let round = 0; round < rounds; round++) {
    const own = { ...load, repetition: round + 1 };
    let ours = await measureDriver(bench, own);
    for (let tries = 1; tries < triesOfRound && isRestless(sleepersQuantiles([ours])); tries++) {
      restless.givenUp++;
      ours = await measureDriver(bench, own);
    }
    if (isRestless(sleepersQuantiles([ours]))) restless.kept++;
    measured.push(ours);
    // Others know constant arrivals only, and take no part in every second round.
    if (load.arrivals === 'poisson' || round % 2 === 1) continue;
    for (const peer of peers) theirs.push(await measurePeer(bench, peer, load));
  }
  const { kind, arrivals, rateRps } = load;
  return pooledRow({ server: kind.name, arrivals, rateRps, restless }, measured, theirs);
}
