/** Break-even of all options of a run along one factor: the curves and where they cross, in words and as data. */
import { type BreakEven, breakEvens, formatChange, formatChangeInterval } from '@topo-bench/comparison';
import { describeLevel, isEnforced, type RunFolder, TopoBenchError } from '@topo-bench/core';
import { studyMetrics } from '@topo-bench/studies';
import { curveSentence } from '../decide/sensitivity.ts';

export interface BreakEvenAnswer {
  along: string;
  sentences: string[];
  curves: BreakEven[];
}

/**
 * @param along factor with ordered levels
 * @param metric e.g. `rtt.p95`; default: the median round-trip time
 * @throws TopoBenchError `TB_USAGE` for a run with fewer than two options
 */
export function breakEvenOf(run: RunFolder, along: string, metric = 'rtt.median'): BreakEvenAnswer {
  const factor = 'architecture';
  const levels = [...new Set(run.record.plannedCells.flatMap(({ architecture }) => architecture ?? []))];
  const enforcing = levels.filter(isEnforced);
  // Without two of them, the one that enforces is compared with none.
  const options = enforcing.length > 1 ? enforcing : levels;
  if (options.length < 2) {
    throw new TopoBenchError('TB_USAGE', `a break-even needs two architectures: got ${levels.join(', ') || 'none'}`, {
      hint: 'give the experiment the factor `architecture`, or keep two of its levels',
    });
  }
  const curves = options.slice(0, -1).flatMap((reference, at) => {
    const later = options.slice(at + 1);
    const all = breakEvens(run, { along, compared: factor, reference, metric, metrics: studyMetrics });
    return all.filter(({ level }) => later.includes(level));
  });
  const sentences = curves.map((curve) => curveSentence(curve, along, factor, run));
  return { along, sentences, curves };
}

/** Rows of a curve: level, difference, 95% interval and verdict. */
export function curveRows({ points }: BreakEven, along: string): string[][] {
  return points.map(({ level, cell: { differencePercent, intervalPercent, verdict } }) => [
    describeLevel(along, level),
    formatChange(differencePercent),
    formatChangeInterval(intervalPercent),
    verdict,
  ]);
}

/** As plain data: an interval without an end has null there. */
export function breakEvenJson({ along, sentences, curves }: BreakEvenAnswer): object {
  const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
  return {
    along,
    sentences,
    curves: curves.map(({ level, reference, setting, points, crossings }) => ({
      ...{ level, reference, setting },
      points: points.map(({ level: at, cell: { differencePercent, intervalPercent, verdict, source } }) => ({
        ...{ at, verdict, source: source.candidate },
        differencePercent: finite(differencePercent),
        intervalPercent: intervalPercent.map(finite),
      })),
      crossings: crossings.map(({ band, ...crossing }) => ({ ...crossing, band: band.map(finite) })),
    })),
  };
}
