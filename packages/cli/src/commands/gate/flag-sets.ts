/** The two ways to call the gate, on run folders or on an experiment, and the flags that belong to each. */
import { TopoBenchError } from '@topo-bench/core';
import type { GateFlags } from './options.ts';

const ofFolders = { candidate: '--candidate', baseline: '--baseline' } as const;
const ofExperiment = {
  baselineRef: '--baseline-ref',
  candidateRef: '--candidate-ref',
  candidateSet: '--candidate-set',
  set: '--set',
  only: '--only',
  out: '--out',
} as const;

/** @throws TopoBenchError `TB_USAGE`; `TB_GATE_NO_BASELINE` when an experiment has a candidate alone */
export function requireOneWay(flags: GateFlags): void {
  const { experiment, candidate, baselineRef, candidateRef, candidateSet } = flags;
  if (experiment === undefined) {
    refuse(flags, ofExperiment, 'needs --experiment');
    if (candidate !== undefined) return;
    throw new TopoBenchError('TB_USAGE', 'which run is to be judged?', {
      hint: '--candidate RUN judges a run folder; --experiment FILE --baseline-ref … --candidate-ref … measures both sides first',
    });
  }
  refuse(flags, ofFolders, 'names a run folder, and --experiment measures runs of its own');
  if (candidateRef === undefined && candidateSet === undefined) {
    throw new TopoBenchError('TB_USAGE', 'which candidate is to be measured?', {
      hint: '--candidate-ref takes a directory, a topology file or a command; --candidate-set changes a field of the topology',
    });
  }
  if (baselineRef === undefined && candidateSet === undefined) {
    throw new TopoBenchError('TB_GATE_NO_BASELINE', '--candidate-ref without --baseline-ref: beside what is it to be measured?', {
      hint: 'give --baseline-ref a directory, a topology file or a command, e.g. a checkout: git worktree add ../base main',
    });
  }
}

function refuse(flags: GateFlags, names: Partial<Record<keyof GateFlags, string>>, why: string): void {
  const given = Object.entries(names).find(([flag]) => flags[flag as keyof GateFlags] !== undefined);
  if (given) throw new TopoBenchError('TB_USAGE', `${given[1]} ${why}`, { hint: 'see topo-bench gate --help' });
}
