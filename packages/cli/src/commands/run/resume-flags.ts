/** Checks which flags a resumed run accepts, and which only a new run accepts. */
import { TopoBenchError } from '@topo-bench/core';
import { choicesOf } from '../../choices.ts';
import { givenOf } from '../../study-flags.ts';
import type { RunFlags } from './options.ts';

/** @throws TopoBenchError `TB_USAGE` when a flag would change the experiment of the resumed run */
export function requireNoChoices(flags: RunFlags): void {
  const { repetitions: _added, ...others } = flags;
  const { set = {}, only = {} } = choicesOf(others);
  const levels = Object.keys(only).map((factor) => `--only ${factor}`);
  const given = [
    ...Object.keys(set),
    ...levels,
    ...givenOf(flags).map(({ long }) => long),
    ...(flags.out ? ['--out'] : []),
    ...(flags.findMax ? ['--find-max'] : []),
  ];
  if (given.length === 0) return;
  throw new TopoBenchError(
    'TB_USAGE',
    `--resume cannot change the run: got ${given.join(', ')}, expected none of them`,
    {
      hint: 'leave them out, or start a new run',
    },
  );
}

/** @throws TopoBenchError `TB_USAGE` when a limit on a search is given for a run without one */
export function requireSearchFor({ maxTime }: RunFlags, search: string | undefined): void {
  if (maxTime === undefined || search !== undefined) return;
  throw new TopoBenchError('TB_USAGE', '--max-time limits a search: got none, expected --find-max', {
    hint: "add the condition to search for, e.g. --find-max 'p95<50ms'",
  });
}

/** @throws TopoBenchError `TB_USAGE` when a flag of resumed runs is given for a new one */
export function requireResumeFor({ resume, allowOtherServers }: RunFlags): void {
  if (resume !== undefined || !allowOtherServers) return;
  throw new TopoBenchError('TB_USAGE', '--allow-other-servers needs --resume', {
    hint: 'name the run folder: --resume runs/NAME',
  });
}
