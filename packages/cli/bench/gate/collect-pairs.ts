/** Measures more pairs with what `gate --experiment` measures with, and appends them to those that are kept. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatUs } from '@topo-bench/core';
import { resolveSides, runSideBySide } from '@topo-bench/experiment';
import { createRunner } from '@topo-bench/runners';
import { serviceEntry } from '../../src/built-files.ts';
import { interruptible } from '../../src/interrupt.ts';
import { version } from '../../src/version.ts';
import { appendPair, type Kind, readPairs } from './stored-pairs.ts';

const experiment = fileURLToPath(new URL('experiment.yaml', import.meta.url));
const workerPath = fileURLToPath(new URL('../../dist/load-worker.js', import.meta.url));
/** Beside 4 ms a service: about a tenth more of the whole round trip. */
const slowerWork = { mean: '4.5ms', kind: 'wait' };

/** For so many seconds; every session has a seed of its own, so that no two pairs have the same requests. */
export async function collectPairs(kind: Kind, seconds: number): Promise<void> {
  const session = 1 + Math.max(0, ...readPairs().map((pair) => pair.session));
  const runner = await createRunner('local', { serviceEntry: serviceEntry() });
  const sides = await resolveSides(
    experiment,
    { set: { seed: session } },
    { baseline: { set: {} }, candidate: { set: kind === 'slower' ? { 'defaults.work': slowerWork } : {} } },
  );
  const folder = await mkdtemp(join(tmpdir(), 'topo-bench-gate-'));
  try {
    await interruptible(
      (signal) =>
        runSideBySide(sides, {
          folder,
          runner,
          workerPath,
          context: { signal, onPhase: () => undefined },
          version: version(),
          command: ['bench:gate'],
          refs: { baseline: 'as it stands', candidate: kind },
          maxTimeUs: seconds * 1e6,
          enough: () => false,
          onPair: ({ baseline, candidate }, repetition) => {
            appendPair(kind, session, baseline.entry, candidate.entry);
            const [from, to] = [baseline.entry, candidate.entry].map(({ rtt }) => formatUs(rtt.medianUs));
            process.stderr.write(
              `${kind} ${session}/${repetition}: ${from} | ${to} ${candidate.entry.validity.flags.join(' ')}\n`,
            );
          },
        }),
      'interrupted: tearing down, measured pairs are kept',
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
