/** Which cell is compared with which: by factors between two runs, or level against level inside one. */
import { type RunFolder, TopoBenchError } from '@topo-bench/core';
import { referenceArchitecture } from '@topo-bench/core/architectures';
import { cellKey } from '@topo-bench/core/cell-key';
import { suggestName } from '@topo-bench/core/nearest-name';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import type { CellRepetitions } from './cell-samples.ts';
import type { Metric } from './metric.ts';

export interface CellPair {
  /** Of the candidate. */
  factors: FactorLevels;
  baseline: CellRepetitions;
  candidate: CellRepetitions;
  /** Measured in the same rounds of one run, or of two whose sides took turns. */
  sideBySide: boolean;
}

/** On either side. */
export function isSaturated({ baseline, candidate }: CellPair): boolean {
  return baseline.saturated || candidate.saturated;
}

/**
 * Why a saturated host forbids to compare a pair by this figure; undefined where it does not. A queue that it lets grow says nothing about what runs
 * on it. Where the load waits for answers there is none, and throughput may be compared, unless others took the host.
 */
export function saturationReason(pair: CellPair, metric: Metric): string | undefined {
  if (!isSaturated(pair) || metric.isQueueless) return undefined;
  if (pair.baseline.foreign || pair.candidate.foreign) return 'other programs had the processors: the difference may be theirs';
  if (!metric.isClosed?.(pair.factors))
    return 'the host was saturated: the difference is one of its queue, not of what runs on it';
  const isCrowded = pair.baseline.crowded || pair.candidate.crowded;
  return isCrowded ? 'the host was saturated, and by other work than what was measured' : undefined;
}

export interface Matching {
  pairs: CellPair[];
  onlyInBaseline: FactorLevels[];
  onlyInCandidate: FactorLevels[];
}

/**
 * Cells of two runs with equal factors; of equal source where both runs have it.
 * @param sideBySide the repetitions of both runs were measured beside each other
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

/** Whether the repetitions of both belong together, one by one: their slices of load took turns. */
export function areSideBySide({ record: { sideBySide: one } }: RunFolder, { record: { sideBySide: other } }: RunFolder): boolean {
  return one !== undefined && one.id === other?.id && one.side !== other.side;
}

/**
 * Each level of a factor against the reference, in every setting of the other factors.
 * @param reference default: that of `defaultReference`
 * @throws TopoBenchError `TB_EXPERIMENT_UNKNOWN_LEVEL`, `TB_COMPARE_NO_COMMON_CELLS`
 */
export function matchLevels(
  cells: readonly CellRepetitions[],
  factor: string,
  reference?: string,
): Matching & { reference: FactorLevels[string] } {
  const levels = levelsOf(cells, factor);
  const against = referenceLevel(levels, factor, reference);
  const settingOf = ({ factors, source }: CellRepetitions): string => `${source} ${cellKey({ ...factors, [factor]: '' })}`;
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
  return { pairs, onlyInBaseline: unmatched(references), onlyInCandidate: unmatched(others), reference: against };
}

function levelsOf(cells: readonly CellRepetitions[], factor: string): FactorLevels[string][] {
  const levels = [...new Set(cells.map(({ factors }) => factors[factor]).filter((level) => level !== undefined))];
  if (levels.length > 0) return levels;
  const factors = [...new Set(cells.flatMap((cell) => Object.keys(cell.factors)))];
  throw new TopoBenchError('TB_EXPERIMENT_UNKNOWN_LEVEL', `this run has no factor ${JSON.stringify(factor)}`, {
    hint: suggestName(factor, factors, 'its factors'),
  });
}

/** The level that others are compared with, unless another one is asked for. @param levels at least one */
export function defaultReference(factor: string, levels: readonly FactorLevels[string][]): FactorLevels[string] {
  const hasReference = factor === 'architecture' && levels.includes(referenceArchitecture);
  return hasReference ? referenceArchitecture : (levels[0] as FactorLevels[string]);
}

function referenceLevel(
  levels: readonly FactorLevels[string][],
  factor: string,
  asked: string | undefined,
): FactorLevels[string] {
  const wanted = asked ?? String(defaultReference(factor, levels));
  const found = levels.find((level) => String(level) === wanted);
  if (found !== undefined) return found;
  throw new TopoBenchError('TB_EXPERIMENT_UNKNOWN_LEVEL', `${factor} has no level ${JSON.stringify(wanted)} in this run`, {
    hint: suggestName(wanted, levels.map(String), 'its levels'),
  });
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
