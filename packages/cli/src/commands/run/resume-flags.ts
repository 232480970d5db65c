/** Checks which flags a resumed run accepts, and which only a new run accepts. */
import { type RunFolder, TopoBenchError } from '@topo-bench/core';
import { choicesOf } from '../../choices.ts';
import type { RunFlags } from './options.ts';
import { ownDataFlags } from './own-data.ts';

/** @throws TopoBenchError `TB_USAGE` when a flag would change the experiment of the resumed run */
export function requireNoChoices(flags: RunFlags): void {
  const { repetitions: _added, ...others } = flags;
  const { set = {}, only = {} } = choicesOf(others);
  const levels = Object.keys(only).map((factor) => `--only ${factor}`);
  const given = [
    ...Object.keys(set),
    ...levels,
    ...ownDataFlags(flags),
    ...(flags.gpx ? ['--gpx'] : []),
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

/** @throws TopoBenchError `TB_USAGE` when a resumed run would get fewer repetitions than it has */
export function requireMoreRepetitions(
  folder: string,
  repetitions: number,
  { record }: Pick<RunFolder, 'record'>,
): void {
  if (repetitions >= record.repetitions) return;
  const message = `--repetitions adds to a run: got ${repetitions}, expected more than the ${record.repetitions} of ${folder}`;
  throw new TopoBenchError('TB_USAGE', message, { hint: 'name the number that the run is to have in the end' });
}

/** @throws TopoBenchError `TB_USAGE` when a limit on a search is given for a run without one */
export function requireSearchFor({ findMax, maxTime }: RunFlags): void {
  if (maxTime === undefined || findMax !== undefined) return;
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
