/** What a design can show before anything is measured: by its repetitions, and the cells that are compared at once. */
import { cellKey, counted, isQuestion, normalQuantile } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { smallestRejectingN, studentQuantile } from '@topo-bench/stats';
import { formatChange } from './format-value.ts';
import { minPairs as minGatePairs, shareNeeded, stepAlpha } from './pairs-for-limit.ts';
import type { Threshold } from './threshold.ts';

export interface Design {
  repetitions: number;
  /** Cells that are compared at once, each with the cell of the reference level; 0 without a varying factor. */
  comparisons: number;
  /** By round from six rounds on; fewer are compared unpaired. `none`: no difference can be shown. */
  pairing: 'by round' | 'unpaired' | 'none';
  /** Fewest repetitions with which a difference can be shown. */
  needed: number;
}

/** Error rate of a comparison, over all its cells. */
const alpha = 0.05;
const minPairs = smallestRejectingN(alpha, { paired: true });

export function designOf(cells: readonly FactorLevels[], repetitions: number): Design {
  const compared = comparedFactor(cells);
  const settings = new Set(
    cells.map((levels) => cellKey({ ...levels, ...(compared !== undefined && { [compared]: '' }) })),
  );
  const comparisons = compared === undefined ? 0 : cells.length - settings.size;
  const unpaired = smallestRejectingN(alpha, { comparisons: Math.max(1, comparisons) });
  const pairing = repetitions >= minPairs ? 'by round' : repetitions >= unpaired ? 'unpaired' : 'none';
  return { repetitions, comparisons, pairing, needed: Math.min(minPairs, unpaired) };
}

/** The architecture if it varies, else the first factor that varies, settings such as the rate last. */
function comparedFactor(cells: readonly FactorLevels[]): string | undefined {
  const varying = Object.keys(cells[0] ?? {}).filter((name) => new Set(cells.map((levels) => levels[name])).size > 1);
  return varying.includes('architecture') ? 'architecture' : (varying.find(isQuestion) ?? varying[0]);
}

/** Why the design can show no difference, without full stop; undefined where it can, or compares nothing. */
export function designFault({ repetitions, comparisons, pairing, needed }: Design): string | undefined {
  if (comparisons === 0 || pairing !== 'none') return undefined;
  const among = comparisons === 1 ? '' : `, among ${comparisons} cells compared at once,`;
  return `with ${counted(repetitions, 'repetition')}${among} no difference can be shown, however large; ${needed} can show one`;
}

/**
 * How much larger a difference must be than for Student's t to be shown four times out of five, by repetitions: tests
 * of few ranks have few p-values. Six pairs must all agree, Φ(d)⁶ = 0.8 at d = 1.79 spreads. From a simulation of
 * normal samples, about the same among any number of cells; from ten repetitions on the difference is below 5%.
 */
const rankFactors: Readonly<Record<number, number>> = { 4: 1.25, 5: 1.16, 6: 1.32, 7: 1.1, 8: 1.08, 9: 1.06 };

/** Spreads of the change between rounds, for which sizes are stated: on a quiet machine, and on a shared one. */
const spreads = [0.02, 0.1];

/** The smallest difference that a cell alone would show four times out of five; empty where nothing is compared. */
export function designSentence(design: Design): string {
  const fault = designFault(design);
  if (fault !== undefined) return `${fault}.`;
  const { repetitions, comparisons, pairing } = design;
  if (comparisons === 0) return '';
  const among = comparisons === 1 ? '' : `, among ${comparisons} cells compared at once,`;
  const start = `with ${counted(repetitions, 'repetition')}${among} a difference is shown four times out of five from about`;
  const sizes = spreads.map((spread) => {
    const [samples, freedom] = pairing === 'by round' ? [1, repetitions - 1] : [2, 2 * repetitions - 2];
    const error = spread * Math.sqrt(samples / repetitions);
    const factor = rankFactors[repetitions] ?? 1;
    const size = Math.expm1(
      factor * error * (studentQuantile(1 - alpha / 2 / comparisons, freedom) + normalQuantile(0.8)),
    );
    return `${Number((100 * size).toPrecision(2))}% where rounds vary by ${100 * spread}%`;
  });
  const more =
    pairing === 'by round' ? '' : `; from ${minPairs} on rounds are compared in pairs, without their common drift`;
  return `${start} ${sizes.join(', ')}${more}.`;
}

/**
 * Which changes a side-by-side gate finds, by the number of pairs that it takes where they vary as in `spreads`. It
 * measures until its pairs can tell a change by twice the limit. Empty without a relative threshold.
 */
export function gateDesignSentence(thresholds: readonly Pick<Threshold, 'kind' | 'limit' | 'text'>[]): string {
  const relative = thresholds.filter(({ kind }) => kind === 'relative');
  const alpha = stepAlpha(relative.length);
  const sentences = relative.map(({ limit, text }) => {
    const [few, many] = spreads.map((spread) =>
      Math.max(minGatePairs(alpha), Math.ceil(shareNeeded(spread, alpha, limit))),
    );
    const twice = formatChange(100 * 2 * (limit - 1));
    return `${text}: fails a change of ${twice} in all cells 19 times out of 20, after ${few} pairs where pairs vary by 2%, about ${many} by 10%`;
  });
  return sentences.length === 0 ? '' : `as a side-by-side gate, ${sentences.join('; ')}.`;
}
