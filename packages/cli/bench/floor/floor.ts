/**
 * `npm run bench:floor [-- --pairs 28 --warm-up 20,60,120 --deploy fresh,round,interleaved --max-time 6h --json]`: how
 * far apart two measurements of one and the same cell are, by deployment mode and length of the warm-up. A difference
 * between two cells that is no larger is no evidence. Modes and warm-ups take turns pair by pair, so that drift of the
 * machine meets all of them. On a machine that does nothing else.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseDurationUs, randomStream, shuffled } from '@topo-bench/core';
import { type DeployMode, deployModes } from '@topo-bench/core/schema/experiment';
import { readInputs, resolveExperiment } from '@topo-bench/experiment';
import { launcherNamed } from '@topo-bench/loadgen';
import { createRunner } from '@topo-bench/runners';
import { studies } from '@topo-bench/studies';
import { serviceEntry } from '../../src/built-files.ts';
import { interruptible } from '../../src/interrupt.ts';
import { figuresOf, floorMarkdown, floorRows, type MeasuredPair } from './floor-table.ts';
import { measurePair } from './pairs.ts';

const { values: flags } = parseArgs({
  options: {
    pairs: { type: 'string', default: '28' },
    'warm-up': { type: 'string', default: '20,60,120' },
    deploy: { type: 'string', default: deployModes.join(',') },
    duration: { type: 'string', default: '10s' },
    'max-time': { type: 'string', default: '12h' },
    json: { type: 'boolean', default: false },
  },
});
const modes = flags.deploy.split(',').map(deployMode);
const warmUps = flags['warm-up'].split(',').map(Number);
const wanted = Number(flags.pairs);
if (!(wanted >= 1) || !warmUps.every((seconds) => seconds >= 0))
  throw new Error('expected --pairs 28 --warm-up 20,60,120');
const setups = modes.flatMap((mode) => warmUps.map((warmUpSeconds) => ({ mode, warmUpSeconds })));
const endMs = performance.now() + parseDurationUs(flags['max-time']) / 1e3;

const experiment = fileURLToPath(new URL('floor.yaml', import.meta.url));
const workerPath = fileURLToPath(new URL('../../dist/load-worker.js', import.meta.url));
const launcher = launcherNamed('processes', { workerPath });
const logsDir = await mkdtemp(join(tmpdir(), 'topo-bench-floor-'));
const measured: MeasuredPair[] = [];
try {
  await interruptible((signal) => measureAll(signal), 'interrupted: tearing down');
} catch (error) {
  if (measured.length === 0) throw error;
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
} finally {
  await rm(logsDir, { recursive: true, force: true });
}
const rows = floorRows(measured);
process.stdout.write(
  flags.json ? `${JSON.stringify({ rows, pairs: measured }, null, 2)}\n` : `${floorMarkdown(rows)}\n`,
);

async function measureAll(signal: AbortSignal): Promise<void> {
  const runner = await createRunner('local', { serviceEntry: serviceEntry() });
  const context = { signal, onPhase: () => undefined };
  for (let pair = 1; pair <= wanted; pair++) {
    for (const { mode, warmUpSeconds } of shuffled(setups, randomStream(1, 'floor', pair))) {
      if (performance.now() > endMs) return;
      const cell = await cellWarmedFor(warmUpSeconds);
      const entries = await measurePair(mode, cell, pair, { runner, logsDir, launcher, context });
      const [first, second] = entries.map(figuresOf) as [MeasuredPair['first'], MeasuredPair['second']];
      measured.push({ mode, warmUpSeconds, first, second });
      const reasons = entries.flatMap(({ validity }) => validity.reasons);
      process.stderr.write(
        `${pair}/${wanted} ${mode}, ${warmUpSeconds} s: median RTT ${first.rttMedianUs?.toFixed(0)} | ${second.rttMedianUs?.toFixed(0)} µs ${reasons.join('; ')}\n`,
      );
    }
  }
}

/** Warmed for exactly so long: no throughput ever counts as settled. */
async function cellWarmedFor(seconds: number) {
  const set = { duration: flags.duration, warmup: { connections: 8, window: '1s', change: '0%', max: `${seconds}s` } };
  const [cell] = resolveExperiment(await readInputs(experiment, { set }), studies).cells;
  if (!cell) throw new Error(`${experiment} has no cell`);
  return cell;
}

function deployMode(text: string): DeployMode {
  const mode = deployModes.find((one) => one === text);
  if (mode === undefined) throw new Error(`--deploy: got ${text}, expected ${deployModes.join(', ')}`);
  return mode;
}
