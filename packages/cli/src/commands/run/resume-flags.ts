/** Checks which flags a resumed run accepts, and which only a new run accepts. */
import { TopoBenchError } from '@topo-bench/core';
import { choicesOf } from '../../choices.ts';
import type { RunFlags } from './options.ts';

/** @throws TopoBenchError `TB_USAGE` when a flag would change the experiment of the resumed run */
export function requireNoChoices(flags: RunFlags): void {
  const { set = {}, only = {} } = choicesOf(flags);
  const levels = Object.keys(only).map((factor) => `--only ${factor}`);
  const given = [...Object.keys(set), ...levels, ...(flags.out ? ['--out'] : [])];
  if (given.length === 0) return;
  throw new TopoBenchError(
    'TB_USAGE',
    `--resume cannot change the run: got ${given.join(', ')}, expected none of them`,
    {
      hint: 'leave them out, or start a new run',
    },
  );
}

/** @throws TopoBenchError `TB_USAGE` when a flag of resumed runs is given for a new one */
export function requireResumeFor({ resume, allowOtherServers }: RunFlags): void {
  if (resume !== undefined || !allowOtherServers) return;
  throw new TopoBenchError('TB_USAGE', '--allow-other-servers needs --resume', {
    hint: 'name the run folder: --resume runs/NAME',
  });
}
