/** The work of `confirm`: premises first, then thresholds on pairs of both options, or on a given run. */
import { TopoBenchError } from '@topo-bench/core';
import type { Backend } from '@topo-bench/trial';
import {
  checkPremises,
  joined,
  judgeRun,
  type OpenedConfirmation,
  openConfirmation,
  pairOptions,
} from '@topo-bench/workbench/confirm';
import { setQuiet } from '../../output.ts';
import { conclude, type Judged } from '../../verdict/conclude.ts';
import { withOutputs } from '../../verdict/unmeasured.ts';
import { requireVerdictFiles } from '../../verdict/verdict-files.ts';
import type { ConfirmFlags } from './options.ts';

export function action(file: string, flags: ConfirmFlags): Promise<void> {
  return confirmOn(undefined, file, flags);
}

/** @param backend that measures both options; undefined: the one of real processes, or of `--calibration` */
export async function confirmOn(backend: Backend | undefined, file: string, flags: ConfirmFlags): Promise<void> {
  requireOneWay(flags);
  await requireVerdictFiles(flags);
  setQuiet(flags.quiet === true);
  const opened = await openConfirmation(file);
  await conclude(await judgedOn(backend, opened, flags), flags);
}

async function judgedOn(
  backend: Backend | undefined,
  opened: OpenedConfirmation,
  flags: ConfirmFlags,
): Promise<Judged> {
  const premises = await checkPremises(opened, flags.metrics, flags.premisesOnly ?? false);
  if (flags.premisesOnly) return { result: premises };
  if (premises.verdict === 'failed') {
    const notes = [...premises.notes, 'no threshold is judged: a premise no longer holds'];
    return { result: { ...premises, notes } };
  }
  if (flags.run !== undefined) return { result: joined(premises, await judgeRun(opened, flags.run)) };
  const { measureSides } = await import('../../verdict/measure-sides.ts');
  return withOutputs([], flags, async (known) => {
    const pairing = await pairOptions(opened);
    known.thresholds = pairing.thresholds;
    const { measured, page } = await measureSides(pairing, flags, { backend: backend ?? (await simulated(flags)) });
    known.notes.push(...measured.notes);
    const { result, folder, pairs, seconds, stopped } = measured.judged();
    const report = page === undefined ? {} : { report: page };
    const more = { runDir: folder, ...report, pairs, seconds, ...(stopped && { stopped }) };
    return { result: joined(premises, result), more };
  });
}

async function simulated({ calibration }: ConfirmFlags): Promise<Backend | undefined> {
  if (calibration === undefined) return undefined;
  const { simulatedBackendOf } = await import('../../simulating.ts');
  return simulatedBackendOf({ calibration });
}

/** @throws TopoBenchError `TB_USAGE` for two ways to get the figures */
function requireOneWay({ premisesOnly, run, calibration }: ConfirmFlags): void {
  const given = Object.entries({ '--premises-only': premisesOnly, '--run': run, '--calibration': calibration });
  const names = given.flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (names.length < 2) return;
  throw new TopoBenchError('TB_USAGE', `${names.join(' and ')} exclude each other`, { hint: 'choose one of them' });
}
