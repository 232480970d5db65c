/** Missing repetitions of a run, and the check that a resumed run has the same set-up. */
import { repetitionKey, setupDifferences, TopoBenchError } from '@topo-bench/core';
import type { Cell, FactorLevels, RunRecord } from '@topo-bench/core/schema/result';

/** Planned repetitions without an entry, round by round. */
export function missingRepetitions(
  record: RunRecord,
  cells: readonly Cell[],
): { factors: FactorLevels; repetition: number }[] {
  const done = new Set(cells.map(({ factors, repetition }) => repetitionKey(factors, repetition)));
  const missing = [];
  for (let repetition = 1; repetition <= record.repetitions; repetition++) {
    for (const factors of record.plannedCells) {
      if (!done.has(repetitionKey(factors, repetition))) missing.push({ factors, repetition });
    }
  }
  return missing;
}

/** Fields that more repetitions change. */
const ofRepetitions: readonly string[] = ['repetitions', 'experiment.repetitions'];

/**
 * A resumed run may have more repetitions than before.
 * @throws TopoBenchError `TB_RUN_FOLDER_DIFFERENT_EXPERIMENT` listing the fields that differ
 */
export function requireSameSetup(folder: string, before: RunRecord, now: RunRecord): void {
  const more = now.repetitions > before.repetitions;
  const found = setupDifferences(before, now).filter(({ path }) => !more || !ofRepetitions.includes(path));
  if (found.length === 0) return;
  const shown = found.slice(0, 10).map(({ path, before, now }) => `${path} was ${show(before)}, is now ${show(now)}`);
  if (found.length > shown.length) shown.push(`and ${found.length - shown.length} more`);
  throw new TopoBenchError(
    'TB_RUN_FOLDER_DIFFERENT_EXPERIMENT',
    `cannot continue ${folder}: ${found.length} ${found.length === 1 ? 'field differs' : 'fields differ'}: ${shown.join('; ')}`,
    { hint: 'undo the change, or start a new run' },
  );
}

/** The record of a run with the repetitions of its continuation, and how many it had before. */
export function extended(before: RunRecord, now: RunRecord | undefined): RunRecord {
  if (!now || now.repetitions <= before.repetitions) return before;
  const { repetitions, experiment, inputs } = now;
  const extendedFrom = [...(before.extendedFrom ?? []), before.repetitions];
  return { ...before, repetitions, experiment, inputs, extendedFrom };
}

function show(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
