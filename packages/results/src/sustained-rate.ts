/** The rates between which a system stops meeting a condition, from repetitions at fixed rates. */
import { cellKey } from '@topo-bench/core';
import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';
import { medianInterval } from '@topo-bench/stats';
import { type Condition, conditionValueUs } from './condition.ts';
import { isOverload } from './validity.ts';

/** Repetitions of one rate; fewer have no 95% interval of their median. */
export const repetitionsToConfirm = 6;

/** Whether the median repetition of a rate is shown to meet the condition. */
export type RateVerdict = 'met' | 'failed' | 'open';

export interface ConfirmedRate {
  rateRps: number;
  verdict: RateVerdict;
  /** One per judged repetition, in µs; +∞ where the load was not borne. */
  valuesUs: number[];
  /** 95% interval of the median in µs, from −∞ to +∞ with too few repetitions. */
  intervalUs: [low: number, high: number];
  /** Judged repetitions that fail the condition with a late generator: 0 for the low end, +∞ for the high one. */
  openCount: number;
  /** All repetitions of the rate, valid and invalid. */
  cells: Cell[];
}

export interface SustainedRate {
  /** Levels of the line, without the rate. */
  line: FactorLevels;
  /** Highest rate up to which all confirmed rates are shown to meet the condition; undefined without one. */
  lowRps: number | undefined;
  /** Lowest rate from which on all confirmed rates are shown to fail; undefined without one. */
  highRps: number | undefined;
  /** Ascending. */
  rates: ConfirmedRate[];
}

/** The levels of a cell without its rate. */
export function lineOf({ rate: _rate, ...line }: FactorLevels): FactorLevels {
  return line;
}

/**
 * One per line, in the order of the planned cells. `lowRps` and `highRps` are the ends of an interval: each rate is
 * judged by the 95% interval of its median repetition (sign test), in a fixed order from the lowest rate up and from
 * the highest down, so that no correction for the number of rates is due.
 */
export function sustainedRates(
  condition: Condition,
  planned: readonly FactorLevels[],
  cells: readonly Cell[],
): SustainedRate[] {
  const lines = new Map<string, FactorLevels[]>();
  for (const levels of planned) {
    const key = cellKey(lineOf(levels));
    lines.set(key, [...(lines.get(key) ?? []), levels]);
  }
  return [...lines.values()].map((levels): SustainedRate => {
    const rates = levels
      .map((factors) => confirmedRate(condition, factors, cells))
      .sort((a, b) => a.rateRps - b.rateRps);
    const firstNotMet = rates.findIndex(({ verdict }) => verdict !== 'met');
    const met = firstNotMet < 0 ? rates : rates.slice(0, firstNotMet);
    const lastNotFailed = rates.findLastIndex(({ verdict }) => verdict !== 'failed');
    return {
      line: lineOf(levels[0] as FactorLevels),
      lowRps: met.at(-1)?.rateRps,
      highRps: rates[lastNotFailed + 1]?.rateRps,
      rates,
    };
  });
}

function confirmedRate(condition: Condition, factors: FactorLevels, all: readonly Cell[]): ConfirmedRate {
  const cells = all.filter((cell) => cellKey(cell.factors) === cellKey(factors));
  const judged = cells.flatMap((cell) => judge(condition, cell) ?? []);
  const intervalWith = (openUs: number) =>
    medianInterval(
      judged.map(({ valueUs, isOpen }) => (isOpen ? openUs : valueUs)),
      0.05,
    );
  const [[low], [, high]] = [intervalWith(0), intervalWith(Number.POSITIVE_INFINITY)];
  return {
    rateRps: Number(factors.rate),
    verdict: high < condition.boundUs ? 'met' : low >= condition.boundUs ? 'failed' : 'open',
    valuesUs: judged.map(({ valueUs }) => valueUs),
    intervalUs: [low, high],
    openCount: judged.filter(({ isOpen }) => isOpen).length,
    cells,
  };
}

interface Judged {
  valueUs: number;
  /** The time without the delay of the generator may lie on either side of the bound. */
  isOpen: boolean;
}

/**
 * A late generator can only lengthen a time. A late repetition that fails the condition is open; without it, the
 * repetitions would be selected by their outcome. Undefined for a repetition without information about the system, and
 * for a prediction without quantiles.
 */
function judge(condition: Condition, cell: Cell): Judged | undefined {
  const { valid, onlyLate, overload } = cell.validity;
  const { state = 'stable' } = cell.prediction ?? {};
  // Times would grow for as long as the load lasts.
  if (state === 'unstable') return { valueUs: Number.POSITIVE_INFINITY, isOpen: false };
  if (state === 'near-capacity') return undefined;
  if (!valid && isOverload(cell)) return { valueUs: Number.POSITIVE_INFINITY, isOpen: false };
  if (!valid && !onlyLate && !overload) return undefined;
  const measuredUs = conditionValueUs(condition, cell);
  const valueUs = overload || Number.isNaN(measuredUs) ? Number.POSITIVE_INFINITY : measuredUs;
  const mayBeLate = !valid || cell.validity.flags.includes('late');
  return { valueUs, isOpen: mayBeLate && !(valueUs < condition.boundUs) };
}
