/** The work of `gate`: collect the runs, apply the thresholds, publish the verdict, and set the exit code. */
import { cellDocument, type GateResult, gate, type Threshold, withoutInfinities } from '@topo-bench/comparison';
import { ExitCode, type RunFolder, TopoBenchError } from '@topo-bench/core';
import { openBaseline, openRun, saveBaseline } from '@topo-bench/results';
import { studyMetrics } from '@topo-bench/studies';
import { note, printJson, printLine, terminal } from '../../output.ts';
import { requireOneWay } from './flag-sets.ts';
import { gateTable } from './gate-table.ts';
import { thresholdsFor } from './gate-thresholds.ts';
import type { GateFlags } from './options.ts';
import { publish } from './publish.ts';

interface Judged {
  candidate: RunFolder;
  baseline: RunFolder | undefined;
  thresholds: readonly Threshold[];
  /** Additional members of the JSON document. */
  more?: Readonly<Record<string, unknown>>;
}

export async function action(flags: GateFlags): Promise<void> {
  requireOneWay(flags);
  if (flags.experiment !== undefined) {
    const { measureSides } = await import('./measure-sides.ts');
    return conclude(await measureSides(flags.experiment, flags), flags);
  }
  const candidate = await openRun(flags.candidate as string);
  const inFile = (candidate.record.experiment as { thresholds?: unknown } | null)?.thresholds;
  const thresholds = thresholdsFor(inFile, flags, candidate.cells);
  const baseline = await baselineFor(thresholds, flags);
  if (thresholds.length === 0) {
    const saved = await saveBaseline(candidate, flags.saveBaseline as string);
    return flags.json ? printJson({ savedBaseline: saved }) : printLine(`baseline saved: ${saved}`);
  }
  await conclude({ candidate, baseline, thresholds }, flags);
}

async function conclude({ candidate, baseline, thresholds, more }: Judged, flags: GateFlags): Promise<void> {
  const result = gate(candidate, baseline, thresholds, studyMetrics);
  const passes = result.verdict === 'passed' || (result.verdict === 'cannot tell' && flags.allowUndecided === true);
  if (!passes) process.exitCode = result.verdict === 'failed' ? ExitCode.checkFailed : ExitCode.invalid;
  if (!passes && flags.saveBaseline !== undefined) note('note: no baseline is saved: the gate did not pass');
  const saved =
    passes && flags.saveBaseline !== undefined ? await saveBaseline(candidate, flags.saveBaseline) : undefined;
  if (flags.json) printJson({ ...document(result, passes, saved), ...more });
  else printResult(result, flags, saved);
  await publish(result, flags);
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
      hint: 'measure one with `topo-bench run`, or save one with `topo-bench gate --candidate RUN --save-baseline NAME`',
    },
  );
}

function document(
  { verdict, thresholds, notes }: GateResult,
  passed: boolean,
  savedBaseline: string | undefined,
): object {
  return withoutInfinities({
    passed,
    verdict,
    thresholds: thresholds.map(({ cells: _cells, ...threshold }) => ({
      ...threshold,
      passed: passedOf(threshold.verdict),
    })),
    cells: thresholds.flatMap(({ cells }) => cells.map(cellDocument)),
    notes,
    ...(savedBaseline !== undefined && { savedBaseline }),
  });
}

function passedOf(verdict: GateResult['verdict']): boolean | null {
  return verdict === 'cannot tell' ? null : verdict === 'passed';
}

function printResult(result: GateResult, { allowUndecided }: GateFlags, saved: string | undefined): void {
  printLine(gateTable(result, { colours: terminal().colours, allowUndecided: allowUndecided === true }));
  if (saved !== undefined) printLine(`baseline saved: ${saved}`);
}
