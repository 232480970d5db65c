/** The end of a verb with a verdict: exit code, baseline, and the verdict in every form that the flags name. */
import { cellDocument, type GateResult, withoutInfinities } from '@topo-bench/comparison';
import { ExitCode, type RunFolder } from '@topo-bench/core';
import { saveBaseline } from '@topo-bench/results';
import { reportFailure } from '../failure.ts';
import { note, printJson, printLine, terminal } from '../output.ts';
import { gateTable } from './gate-table.ts';
import { type PublishFlags, publish } from './publish.ts';

export type ConcludeFlags = PublishFlags & { saveBaseline?: string };

export interface Judged {
  /** Absent where nothing was measured; then it is saved as no baseline. */
  candidate?: RunFolder;
  result: GateResult;
  /** Additional members of the JSON document. */
  more?: Readonly<Record<string, unknown>>;
}

/** Sets the exit code, and publishes the verdict in every form that the flags name. */
export async function conclude({ candidate, result, more }: Judged, flags: ConcludeFlags): Promise<void> {
  const passes = result.verdict === 'passed' || (result.verdict === 'cannot tell' && flags.allowUndecided === true);
  if (!passes) process.exitCode = result.verdict === 'failed' ? ExitCode.checkFailed : ExitCode.invalid;
  if (!passes && flags.saveBaseline !== undefined) note('note: no baseline is saved: the gate did not pass');
  // A baseline that cannot be saved takes neither the verdict nor its outputs with it.
  const [saving] = await Promise.allSettled([
    passes && candidate && flags.saveBaseline !== undefined ? saveBaseline(candidate, flags.saveBaseline) : undefined,
  ]);
  const saved = saving.status === 'fulfilled' ? saving.value : undefined;
  if (flags.json) printJson({ ...document(result, passes, saved), ...more });
  else printResult(result, flags, saved);
  const [publishing] = await Promise.allSettled([publish(result, flags)]);
  for (const work of [saving, publishing]) {
    // The verdict is the one JSON document.
    if (work.status === 'rejected') process.exitCode = reportFailure(work.reason, { json: false });
  }
}

function document(
  { verdict, thresholds, notes, profile }: GateResult,
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
    ...(profile && { profile }),
    ...(savedBaseline !== undefined && { savedBaseline }),
  });
}

function passedOf(verdict: GateResult['verdict']): boolean | null {
  return verdict === 'cannot tell' ? null : verdict === 'passed';
}

function printResult(result: GateResult, { allowUndecided }: ConcludeFlags, saved: string | undefined): void {
  printLine(gateTable(result, { colours: terminal().colours, allowUndecided: allowUndecided === true }));
  if (saved !== undefined) printLine(`baseline saved: ${saved}`);
}
