/** Matches the cells of a comparison: by factors between two runs, or by level within one run. */
import {
  cellKey,
  factorNamed,
  type RunFolder,
  referenceArchitecture,
  suggestName,
  TopoBenchError,
} from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import type { CellRepetitions } from './cell-samples.ts';
import type { Metric } from './metric.ts';

export interface CellPair {
  /** Levels of the candidate. */
  factors: FactorLevels;
  baseline: CellRepetitions;
  candidate: CellRepetitions;
  /** Both were measured in the same rounds: of one run, or of two runs whose load alternated. */
  sideBySide: boolean;
}

/** Whether the host was saturated on either side. */
export function isSaturated({ baseline, candidate }: CellPair): boolean {
  return baseline.full.size > 0 || candidate.full.size > 0;
}

export interface Saturation {
  reason: string;
  by: 'foreign' | 'saturated';
}

/**
 * Reason why a saturated host makes a pair incomparable by this figure; undefined when it is comparable. In an open
 * load the host's queue dominates the figure. A closed load has no such queue: its throughput is comparable unless
 * other work used the host.
 */
export function saturationOf(pair: CellPair, metric: Metric): Saturation | undefined {
  if (!isSaturated(pair) || metric.isQueueless) return undefined;
  const full = [...pair.baseline.full.values(), ...pair.candidate.full.values()];
  if (full.some(({ isForeign }) => isForeign))
    return { reason: 'other programs had the processors: the difference may be theirs', by: 'foreign' };
  if (!metric.isClosed?.(pair.factors)) {
    const reason = 'the host was saturated: the difference is one of its queue, not of what runs on it';
    return { reason, by: 'saturated' };
  }
  if (!full.some(({ isCrowded }) => isCrowded)) return undefined;
  return { reason: 'the host was saturated, and by other work than what was measured', by: 'foreign' };
}

export interface Matching {
  pairs: CellPair[];
  onlyInBaseline: FactorLevels[];
  onlyInCandidate: FactorLevels[];
}

/**
 * Matches cells of two runs with equal factors. Cells of the same source (measured or simulated) are preferred.
 * @param sideBySide whether the runs were measured in the same rounds
 * @throws TopoBenchError `TB_COMPARE_NO_COMMON_CELLS`
 */
export function matchRuns(
  baseline: readonly CellRepetitions[],
  candidate: readonly CellRepetitions[],
  sideBySide = false,
): Matching {
  const matchOf = (cell: CellRepetitions, others: readonly CellRepetitions[]): CellRepetitions | undefined => {
    const same = others.filter(({ factors }) => cellKey(factors) === cellKey(cell.factors));
    return same.find(({ source }) => source === cell.source) ?? same[0];
  };
  const pairs = candidate.flatMap((cell): CellPair[] => {
    const other = matchOf(cell, baseline);
    return other ? [{ factors: cell.factors, baseline: other, candidate: cell, sideBySide }] : [];
  });
  if (pairs.length === 0) throw noCommonCells(baseline, candidate);
  return {
    pairs,
    onlyInBaseline: baseline.filter((cell) => !matchOf(cell, candidate)).map(({ factors }) => factors),
    onlyInCandidate: candidate.filter((cell) => !matchOf(cell, baseline)).map(({ factors }) => factors),
  };
}

/** Whether two runs are the sides of one side-by-side measurement. Their repetitions are then paired by number. */
export function areSideBySide(
  { record: { sideBySide: one } }: RunFolder,
  { record: { sideBySide: other } }: RunFolder,
): boolean {
  return one !== undefined && one.id === other?.id && one.side !== other.side;
}

/**
 * Matches each level of a factor with the reference level, for each combination of the other factors.
 * @param name any name of the factor
 * @param reference default: `defaultReference`
 * @throws TopoBenchError `TB_EXPERIMENT_UNKNOWN_LEVEL`, `TB_COMPARE_NO_COMMON_CELLS`
 */
export function matchLevels(
  cells: readonly CellRepetitions[],
  name: string,
  reference?: string,
): Matching & { factor: string; reference: FactorLevels[string] } {
  const factor = factorNamed(name, [...new Set(cells.flatMap(({ factors }) => Object.keys(factors)))]) ?? name;
  const levels = levelsOf(cells, factor);
  const against = referenceLevel(levels, factor, reference);
  const settingOf = ({ factors, source }: CellRepetitions): string =>
    `${source} ${cellKey({ ...factors, [factor]: '' })}`;
  const [references, others] = [
    cells.filter(({ factors }) => factors[factor] === against),
    cells.filter(({ factors }) => factors[factor] !== against),
  ];
  const baselines = new Map(references.map((cell) => [settingOf(cell), cell]));
  const pairs = others.flatMap((cell): CellPair[] => {
    const baseline = baselines.get(settingOf(cell));
    return baseline ? [{ factors: cell.factors, baseline, candidate: cell, sideBySide: true }] : [];
  });
  if (pairs.length === 0) {
    throw new TopoBenchError(
      'TB_COMPARE_NO_COMMON_CELLS',
      `no cell differs from one with ${factor} ${against} in ${factor} alone`,
      {
        hint: `levels of ${factor} in this run: ${levels.join(', ')}`,
      },
    );
  }
  const matched = new Set(pairs.flatMap(({ baseline, candidate }) => [baseline, candidate]));
  const unmatched = (of: readonly CellRepetitions[]): FactorLevels[] =>
    of.filter((cell) => !matched.has(cell)).map(({ factors }) => factors);
  return {
    pairs,
    onlyInBaseline: unmatched(references),
    onlyInCandidate: unmatched(others),
    factor,
    reference: against,
  };
}

function levelsOf(cells: readonly CellRepetitions[], factor: string): FactorLevels[string][] {
  const levels = [...new Set(cells.map(({ factors }) => factors[factor]).filter((level) => level !== undefined))];
  if (levels.length > 0) return levels;
  const factors = [...new Set(cells.flatMap((cell) => Object.keys(cell.factors)))];
  throw new TopoBenchError('TB_EXPERIMENT_UNKNOWN_LEVEL', `this run has no factor ${JSON.stringify(factor)}`, {
    hint: suggestName(factor, factors, 'its factors'),
  });
}

/**
 * The default level that other levels are compared with.
 * @param levels at least one
 */
export function defaultReference(factor: string, levels: readonly FactorLevels[string][]): FactorLevels[string] {
  const hasReference = factor === 'architecture' && levels.includes(referenceArchitecture);
  return hasReference ? referenceArchitecture : (levels[0] as FactorLevels[string]);
}

function referenceLevel(
  levels: readonly FactorLevels[string][],
  factor: string,
  requested: string | undefined,
): FactorLevels[string] {
  const wanted = requested ?? String(defaultReference(factor, levels));
  const found = levels.find((level) => String(level) === wanted);
  if (found !== undefined) return found;
  throw new TopoBenchError(
    'TB_EXPERIMENT_UNKNOWN_LEVEL',
    `${factor} has no level ${JSON.stringify(wanted)} in this run`,
    {
      hint: suggestName(wanted, levels.map(String), 'its levels'),
    },
  );
}

function noCommonCells(baseline: readonly CellRepetitions[], candidate: readonly CellRepetitions[]): TopoBenchError {
  const example = (cells: readonly CellRepetitions[]): string =>
    cells[0] ? JSON.stringify(cells[0].factors) : 'no cells at all';
  return new TopoBenchError(
    'TB_COMPARE_NO_COMMON_CELLS',
    `the runs have no cell in common: the baseline has ${example(baseline)}, the candidate ${example(candidate)}`,
    { hint: 'cells match when all their factors are equal: compare runs of the same experiment' },
  );
}
