/** Reads the runs for `compare`: two run folders, or the levels of a factor inside one. */
import { compareRuns, compareWithin, type RunComparison } from '@topo-bench/comparison';
import { TopoBenchError } from '@topo-bench/core';
import { openRun } from '@topo-bench/results';
import { studyMetrics } from '@topo-bench/studies';
import { intervalsBySource, requireOneSource } from '../../one-source.ts';
import type { CompareFlags } from './options.ts';

export interface ComparedRuns {
  comparison: RunComparison;
  /** Names both sides. */
  title: string;
}

/** @throws TopoBenchError `TB_USAGE` when the number of run folders does not fit the flags */
export function comparedRuns(runs: readonly string[], flags: CompareFlags): Promise<ComparedRuns> {
  return flags.within === undefined ? acrossRuns(runs, flags) : insideRun(runs, flags.within, flags);
}

async function acrossRuns(
  runs: readonly string[],
  { metric, effect, reference, mixSources }: CompareFlags,
): Promise<ComparedRuns> {
  const [from, to, ...more] = runs;
  if (from === undefined || to === undefined || more.length > 0) {
    const hint =
      runs.length === 1
        ? 'add the candidate, or compare inside the run with --within architecture'
        : 'name the baseline first, then the candidate';
    throw new TopoBenchError('TB_USAGE', `compare takes run folders: got ${runs.length}, expected 2`, { hint });
  }
  if (reference !== undefined) {
    throw new TopoBenchError('TB_USAGE', '--reference needs --within', {
      hint: 'leave it out: of two runs, the first is the baseline',
    });
  }
  const [baseline, candidate] = [await openRun(from), await openRun(to)];
  if (!mixSources) requireOneSource([baseline, candidate], 'add --mix-sources');
  const comparison = compareRuns(baseline, candidate, {
    ...(metric !== undefined && { metric }),
    effect,
    metrics: studyMetrics,
  });
  const notes = [...comparison.notes, ...intervalsBySource([baseline, candidate], comparison)];
  return { comparison: { ...comparison, notes }, title: `${to} against ${from}` };
}

async function insideRun(
  runs: readonly string[],
  factor: string,
  { metric, effect, reference }: CompareFlags,
): Promise<ComparedRuns> {
  const [folder, ...more] = runs;
  if (folder === undefined || more.length > 0) {
    throw new TopoBenchError('TB_USAGE', `compare --within takes run folders: got ${runs.length}, expected 1`, {
      hint: 'leave out --within to compare two runs',
    });
  }
  const options = {
    ...(metric !== undefined && { metric }),
    effect,
    metrics: studyMetrics,
    ...(reference !== undefined && { reference }),
  };
  const comparison = compareWithin(await openRun(folder), factor, options);
  return { comparison, title: `${factor} against ${comparison.reference} in ${folder}` };
}
