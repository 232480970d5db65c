/**
 * The comparison behind the answer: levels within each run, or run against run. The options are the defaults of
 * `topo-bench compare`.
 */
import {
  type CellComparison,
  compareRuns,
  compareWithin,
  defaultMetric,
  defaultReference,
  type RunComparison,
} from '@topo-bench/comparison';
import { cellKey, type RunFolder, TopoBenchError } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { type Factor, isMarked, type Level, reportLevels } from '@topo-bench/report/model';

export interface AnswerComparison {
  reference: Level;
  /** By `cellKey` of the candidate's factors in the report. */
  cells: Map<string, CellComparison>;
  notes: string[];
  /** Smallest relevant difference, as a fraction. */
  effect: number;
}

/** @param reference of levels within each run; run against run has the first run */
export function answerComparison(
  runs: readonly RunFolder[],
  { name, levels }: Factor,
  reference = defaultReference(name, levels),
): AnswerComparison {
  const [first, ...others] = runs;
  const found: AnswerComparison = {
    reference,
    cells: new Map(),
    notes: [],
    effect: 0.05,
  };
  const add = (run: RunFolder, { cells, notes, effect }: RunComparison): void => {
    for (const cell of cells) {
      const levelsOfCell = { factors: cell.factors, source: cell.source.candidate };
      found.cells.set(cellKey(reportLevels(run, levelsOfCell, runs)), cell);
    }
    found.notes.push(...notes);
    found.effect = effect;
  };
  if (name === 'run' && first) {
    found.reference = reportLevels(first, { factors: {}, source: 'measured' }, runs).run as Level;
    for (const other of others) attempt(found, () => add(other, compareRuns(first, other, { metric: defaultMetric })));
    return found;
  }
  if (name === 'source' && isMarked(runs)) {
    found.notes.push('measured and simulated cells are not compared with each other here');
    return found;
  }
  for (const run of runs) {
    if (!hasLevel(run, name, found.reference)) continue;
    attempt(found, () =>
      add(run, compareWithin(run, name, { reference: String(found.reference), metric: defaultMetric })),
    );
  }
  return found;
}

function hasLevel({ record, cells }: RunFolder, factor: string, level: Level): boolean {
  const all: FactorLevels[] = [...record.plannedCells, ...cells.map(({ factors }) => factors)];
  return all.some((factors) => factors[factor] === level);
}

/** A report without comparisons is valid. */
function attempt({ notes }: AnswerComparison, compare: () => void): void {
  try {
    compare();
  } catch (error) {
    if (!(error instanceof TopoBenchError)) throw error;
    notes.push(error.message);
  }
}
