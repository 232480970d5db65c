/** The gate accepts run folders or an experiment. Each has its own set of flags. */
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
  profile: '--profile',
} as const;

const ofVerdicts = {
  profile: '--profile',
  allowUndecided: '--allow-undecided',
  saveBaseline: '--save-baseline',
  junit: '--junit',
  markdown: '--markdown',
} as const;
const ofRefs = {
  baselineRef: '--baseline-ref',
  candidateRef: '--candidate-ref',
  candidateSet: '--candidate-set',
} as const;

/** @throws TopoBenchError `TB_USAGE`; `TB_GATE_NO_BASELINE` when an experiment has only a candidate */
export function requireOneWay(flags: GateFlags): void {
  const { experiment, candidate, baseline, baselineRef, candidateRef, candidateSet } = flags;
  if (flags.selfTest) {
    refuse(flags, ofVerdicts, 'cannot be combined with --self-test, which has no verdict');
    refuse(flags, ofRefs, 'cannot be combined with --self-test: both sides are the experiment as it stands');
    if (experiment === undefined && (candidate === undefined || baseline === undefined)) {
      throw new TopoBenchError('TB_USAGE', '--self-test needs --experiment, or --baseline and --candidate', {
        hint: 'measure with --experiment FILE, or name the folders `baseline` and `candidate` of an earlier self-test',
      });
    }
    if (experiment !== undefined) refuse(flags, ofFolders, 'cannot be combined with --experiment');
    else refuse(flags, ofExperiment, 'needs --experiment');
    return;
  }
  if (experiment === undefined) {
    refuse(flags, ofExperiment, 'needs --experiment');
    if (candidate !== undefined) return;
    throw new TopoBenchError('TB_USAGE', 'gate needs --candidate or --experiment: got neither', {
      hint:
        'judge a run folder with --candidate RUN, ' +
        'or measure both sides first with --experiment FILE --baseline-ref … --candidate-ref …',
    });
  }
  refuse(flags, ofFolders, 'cannot be combined with --experiment, which measures its own runs');
  if (candidateRef === undefined && candidateSet === undefined) {
    throw new TopoBenchError('TB_USAGE', '--experiment needs --candidate-ref or --candidate-set: got neither', {
      hint:
        'give --candidate-ref a directory, a topology file or a command, ' +
        'or change a field of the topology with --candidate-set',
    });
  }
  if (baselineRef === undefined && candidateSet === undefined) {
    throw new TopoBenchError('TB_GATE_NO_BASELINE', '--candidate-ref needs --baseline-ref', {
      hint:
        'give --baseline-ref a directory, a topology file or a command, ' +
        'e.g. a checkout: git worktree add ../base main',
    });
  }
}

function refuse(flags: GateFlags, names: Partial<Record<keyof GateFlags, string>>, why: string): void {
  const given = Object.entries(names).find(([flag]) => flags[flag as keyof GateFlags] !== undefined);
  if (given) throw new TopoBenchError('TB_USAGE', `${given[1]} ${why}`, { hint: 'see topo-bench gate --help' });
}
