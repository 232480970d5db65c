/** The knee of a line: the level of a factor, such as the rate, from which a time grows out of proportion. */
import { ratio } from '@topo-bench/stats';

export interface KneeLevel {
  /** The level as a number, e.g. in req/s. */
  x: number;
  /** One time per repetition, above 0; +∞ for a repetition that the system did not bear. Empty: not measured. */
  values: readonly number[];
  /** Whether a role or the host was at its limit. A lowest level at its limit is no reference for the others. */
  atLimit?: boolean;
}

export interface KneeOptions {
  /** Times up to so many times the expected one are in proportion; default 2. */
  multiple?: number;
  /**
   * Expected growth: `constant` for a rate, which adds no work to a request; `proportional` for a factor that does,
   * such as the number of services. Default: `constant`.
   */
  expected?: 'constant' | 'proportional';
  /** 1 − confidence; default 0.05. */
  alpha?: number;
}

/** Whether a level is shown to be on one side of the knee. */
export type KneeSide = 'within' | 'beyond' | 'open';

export interface Knee {
  /** The knee lies above this level: up to it, all levels are shown to be in proportion. */
  after: number;
  /** The knee lies at this level or below it. Undefined: no level is shown to be beyond the knee. */
  before: number | undefined;
  /** Levels between the two, which are shown to be on neither side. */
  open: number[];
}

/**
 * Finds the knee. The lowest level is the reference. A level is *beyond* the knee when the interval of its ratio to the
 * reference lies wholly above `multiple` times the expected ratio, and *within* when it lies wholly below. `before` is
 * the lowest of the unbroken sequence of levels beyond the knee, counted from the highest level down. `after` is the
 * highest of the unbroken sequence of levels within, counted from the lowest up. The knee therefore lies between two
 * levels of the experiment, never on a point.
 *
 * Each sequence tests its levels in a fixed order and stops at the first one that is not shown. All claims of one
 * sequence therefore hold together with the confidence of one test, without a correction for their number. Source:
 * Maurer, Hothorn & Lehmacher, Multiple comparisons in drug clinical trials (1995): a priori ordered hypotheses.
 * @param levels in any order; levels without values are ignored, +∞ counts as beyond every limit
 * @returns undefined with fewer than two measured levels, and when the reference was not borne or at its limit: the
 *   knee then lies at the lowest level or below it
 */
export function kneeOf(levels: readonly KneeLevel[], options: KneeOptions = {}): Knee | undefined {
  const measured = levels.filter(({ values }) => values.length > 0).sort((a, b) => a.x - b.x);
  const [reference, ...others] = measured;
  if (!reference || others.length === 0 || !isReference(reference)) return undefined;
  const sides = others.map((level) => sideOf(reference, level, options));
  const within = firstOther(sides, 'within');
  const beyond = sides.length - firstOther(sides.toReversed(), 'beyond');
  return {
    after: within === 0 ? reference.x : others[within - 1]!.x,
    before: others[beyond]?.x,
    open: others.slice(within, beyond).map(({ x }) => x),
  };
}

/** More than half of the repetitions have a finite time, and nothing was at its limit. */
function isReference({ values, atLimit }: KneeLevel): boolean {
  return !atLimit && values.filter(Number.isFinite).length > values.length / 2;
}

/** Which side of the knee a level is shown to be on, compared with the reference. */
function sideOf(
  reference: KneeLevel,
  level: KneeLevel,
  { multiple = 2, expected = 'constant', alpha = 0.05 }: KneeOptions = {},
): KneeSide {
  const growth = expected === 'proportional' ? level.x / reference.x : 1;
  const [low, high] = ratio(reference.values, level.values, alpha).interval;
  if (low > multiple * growth) return 'beyond';
  return high < multiple * growth ? 'within' : 'open';
}

/** Index of the first side other than this one; the length where all are equal. */
function firstOther(sides: readonly KneeSide[], side: KneeSide): number {
  const found = sides.findIndex((one) => one !== side);
  return found < 0 ? sides.length : found;
}
