/** The work of `gate`: collect the runs, apply the thresholds, publish the verdict, and set the exit code. */
import { requireFigures, type Threshold } from '@topo-bench/comparison';
import { type RunFolder, TopoBenchError } from '@topo-bench/core';
import { openBaseline, openRun, saveBaseline } from '@topo-bench/results';
import { studyMetrics } from '@topo-bench/studies';
import type { Backend } from '@topo-bench/trial';
import { judge, thresholdsOf } from '@topo-bench/workbench/gate';
import { note, printJson, printLine, setQuiet } from '../../output.ts';
import { conclude, type Judged } from '../../verdict/conclude.ts';
import { withOutputs } from '../../verdict/unmeasured.ts';
import { requireVerdictFiles } from '../../verdict/verdict-files.ts';
import { requireOneWay } from './flag-sets.ts';
import type { GateFlags } from './options.ts';

export function action(flags: GateFlags): Promise<void> {
  return gateOn(undefined, flags);
}

/** @param backend that measures both sides; undefined: the one of real processes */
export async function gateOn(backend: Backend | undefined, flags: GateFlags): Promise<void> {
  requireOneWay(flags);
  await requireVerdictFiles(flags);
  setQuiet(flags.quiet === true);
  if (flags.selfTest) {
    const { selfTestAction } = await import('./self-test.ts');
    return selfTestAction(flags);
  }
  const judged =
    flags.experiment === undefined ? await judgeFolder(flags) : await measure(flags.experiment, flags, backend);
  if (judged) await conclude(judged, flags);
}

async function measure(experiment: string, flags: GateFlags, backend: Backend | undefined): Promise<Judged> {
  const [{ measureSides }, { sidesToMeasure }] = await Promise.all([
    import('../../verdict/measure-sides.ts'),
    import('./sides-to-measure.ts'),
  ]);
  const asked = flags.threshold ? thresholdsOf(flags.threshold, undefined) : [];
  return withOutputs(asked, flags, async (known) => {
    const pairing = await sidesToMeasure(experiment, flags);
    known.thresholds = pairing.thresholds;
    const { measured, page } = await measureSides(pairing, flags, { backend });
    // Also the outputs of a gate without a valid pair have the reason.
    known.notes.push(...measured.notes);
    const { candidate, result, folder, pairs, seconds, stopped } = measured.judged();
    const more = {
      runDir: folder,
      ...(page !== undefined && { report: page }),
      ...{ pairs, seconds },
      ...(stopped && { stopped }),
    };
    return { candidate, result, more };
  });
}

/** @returns undefined for a folder that is only saved as a baseline */
async function judgeFolder(flags: GateFlags): Promise<Judged | undefined> {
  // Opened first: unknown metrics are suggested from its cells.
  const [opening] = await Promise.allSettled([openRun(flags.candidate as string)]);
  const asked = opening.status === 'fulfilled' || flags.threshold ? thresholdsOfRun(opening, flags) : [];
  return withOutputs(asked, flags, async ({ thresholds }) => {
    if (opening.status === 'rejected') throw opening.reason;
    const candidate = opening.value;
    const { judged, notes } = judgedNow(thresholds, flags);
    const baseline = await baselineFor(judged, flags);
    if (judged.length > 0) return { candidate, result: judge({ baseline, candidate }, judged, notes) };
    if (notes.length > 0) requireFigures(candidate, [], studyMetrics);
    for (const text of notes) note(`note: ${text}`);
    const saved = await saveBaseline(candidate, flags.saveBaseline as string);
    if (flags.json) printJson({ savedBaseline: saved });
    else printLine(`baseline saved: ${saved}`);
    return undefined;
  });
}

/** None for a run that is only saved as a baseline. */
function thresholdsOfRun(
  opening: PromiseSettledResult<RunFolder>,
  { threshold, saveBaseline }: GateFlags,
): Threshold[] {
  const { record, cells } = opening.status === 'fulfilled' ? opening.value : {};
  const own = (record?.experiment as { thresholds?: unknown } | null | undefined)?.thresholds;
  const hasOwn = Array.isArray(own) && own.length > 0;
  if (threshold === undefined && !hasOwn && saveBaseline !== undefined) return [];
  return thresholdsOf(threshold, own, cells);
}

/** The first baseline of an experiment cannot keep to its thresholds that are relative to one. */
function judgedNow(
  thresholds: readonly Threshold[],
  { threshold, baseline, saveBaseline }: GateFlags,
): { judged: readonly Threshold[]; notes: string[] } {
  const relative = thresholds.filter(({ kind }) => kind === 'relative');
  const isFirst = saveBaseline !== undefined && baseline === undefined && threshold === undefined;
  if (!isFirst || relative.length === 0) return { judged: thresholds, notes: [] };
  const texts = relative.map(({ text }) => JSON.stringify(text)).join(', ');
  return {
    judged: thresholds.filter(({ kind }) => kind === 'absolute'),
    notes: [`not judged without a baseline: ${texts}; give --baseline NAME from the next gate on`],
  };
}

/** Reads the baseline only if a threshold needs it. */
async function baselineFor(thresholds: readonly Threshold[], { baseline }: GateFlags): Promise<RunFolder | undefined> {
  const relative = thresholds.some(({ kind }) => kind === 'relative');
  if (baseline === undefined || !relative) {
    if (baseline !== undefined) note('note: --baseline is not used: no threshold is relative to one');
    return undefined;
  }
  const found = await openBaseline(baseline);
  if (found) return found;
  throw new TopoBenchError(
    'TB_GATE_NO_BASELINE',
    `cannot open the baseline: got ${JSON.stringify(baseline)}, expected a run folder or a saved baseline`,
    {
      hint: `measure one with \`topo-bench run\`, or save the first one: topo-bench gate --candidate RUN --save-baseline ${baseline}`,
    },
  );
}
