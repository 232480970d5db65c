/** The two sides that `gate --experiment` measures. */
import { open } from '@topo-bench/workbench';
import type { Pairing } from '@topo-bench/workbench/gate';
import { choicesOf } from '../../choices.ts';
import { requireOneRunner } from '../../one-runner.ts';
import { assignedValues } from '../../option-values.ts';
import { findFile } from '../../shipped-files.ts';
import { requireUsed } from '../../used-options.ts';
import type { GateFlags } from './options.ts';

/** Reports every problem of flags and files. */
export async function sidesToMeasure(experiment: string, flags: GateFlags): Promise<Pairing> {
  const bench = await open({ experiment: await findFile('experiments', experiment) }, choicesOf(flags));
  requireOneRunner(flags.runner, bench.inputs.experiment);
  requireUsed(bench.resolved.cells, flags);
  const { baselineRef, candidateRef, candidateSet = [], threshold } = flags;
  const set = assignedValues(candidateSet);
  // Recorded as on the command line.
  const changes = candidateSet.map(([path, value]) => `${path}=${value}`);
  const name = [candidateRef ?? 'the experiment as it stands', ...changes].join(', ');
  return bench.pair({
    baseline: { ref: baselineRef },
    candidate: { ref: candidateRef, set, name },
    thresholds: threshold,
  });
}
