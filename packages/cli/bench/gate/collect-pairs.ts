/** Measures more pairs with what `gate --experiment` measures with, and appends them to those that are kept. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatUs } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { resolveSides, runSideBySide } from '@topo-bench/experiment/side-by-side';
import { launcherNamed } from '@topo-bench/loadgen';
import { measuredBackend } from '@topo-bench/measured';
import { runnersWith } from '@topo-bench/runners';
import { studies } from '@topo-bench/studies';
import type { ExperimentCell } from '@topo-bench/trial';
import { serviceEntry } from '../../src/built-files.ts';
import { interruptible } from '../../src/interrupt.ts';
import { version } from '../../src/version.ts';
import { appendPair, type Kind, type Load, readPairs } from './stored-pairs.ts';

const experimentOf: Record<Load, string> = { waiting: 'waiting.yaml', cpu: 'cpu.yaml', cells: 'cells.yaml' };
const workerPath = fileURLToPath(new URL('../../dist/load-worker.js', import.meta.url));
const launcher = launcherNamed('processes', { workerPath });
/** Change of the services' work; what the round trip makes of it is measured and printed. */
const slowdown: Record<Load, number> = { waiting: 1.125, cpu: 1.3, cells: 1.3 };

/** For so many seconds; every session has a seed of its own, so that no two pairs have the same requests. */
export async function collectPairs(load: Load, kind: Kind, seconds: number): Promise<void> {
  const session = 1 + Math.max(0, ...readPairs().map((pair) => pair.session));
  const experiment = fileURLToPath(new URL(experimentOf[load], import.meta.url));
  const sides = await resolveSides(
    experiment,
    { set: { seed: session } },
    { baseline: { set: {} }, candidate: { set: {} } },
    studies,
  );
  const { cells } = sides.candidate;
  // One of several cells is slower, another one in every session.
  const slowerCell = kind === 'slower' ? cells[session % cells.length] : undefined;
  const key = (factors: FactorLevels): string => Object.values(factors).join(' ');
  const slowerKey = slowerCell && key(slowerCell.levels);
  const nameOf = (factors: FactorLevels): string => (key(factors) === slowerKey ? `${key(factors)}*` : key(factors));
  const candidate = {
    ...sides.candidate,
    cells: cells.map((cell) => (cell === slowerCell ? withLongerWork(cell, slowdown[load]) : cell)),
  };
  const folder = await mkdtemp(join(tmpdir(), 'topo-bench-gate-'));
  try {
    await interruptible(
      (signal) =>
        runSideBySide(
          { ...sides, candidate },
          {
            folder,
            backend: measuredBackend({
              studies,
              runnerNamed: runnersWith({ serviceEntry: serviceEntry() }),
              launcher,
              logsDir: folder,
            }),
            signal,
            version: version(),
            command: ['bench:gate'],
            refs: { baseline: 'as it stands', candidate: kind },
            maxTimeUs: seconds * 1e6,
            enough: () => false,
            onEvent: (event) => {
              if (event.kind !== 'pair') return;
              const { baseline, candidate } = event;
              appendPair({ load, kind, session, cell: nameOf(candidate.factors) }, baseline, candidate);
              const [from, to] = [baseline, candidate].map(({ rtt }) => formatUs(rtt.medianUs));
              process.stderr.write(
                `${load} ${kind} ${session}/${candidate.repetition} ${nameOf(candidate.factors)}: ${from} | ${to} ${candidate.validity.flags.join(' ')}\n`,
              );
            },
          },
        ),
      'interrupted: tearing down, measured pairs are kept',
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function withLongerWork(cell: ExperimentCell, factor: number): ExperimentCell {
  const services = cell.graph.services.map((service) => ({
    ...service,
    work: { ...service.work, meanUs: factor * service.work.meanUs },
  }));
  return { ...cell, graph: { ...cell.graph, services } };
}
