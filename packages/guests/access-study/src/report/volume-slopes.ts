/**
 * Whether throughput holds as the volume grows: the change of rows per second for each doubling of the rows. A start
 * takes the same time for every volume, and its share falls: over the whole time, a level read seems to get faster.
 */
import { type Estimate, pairedShift } from '@topo-bench/stats';
import { alpha } from '@topo-bench/study-kit/repetition-effect';
import { type AccessCell, wholeReads } from './access-cells.ts';

/** A change within this share for each doubling counts as level. */
const levelShare = 0.05;

export interface VolumeSlope {
  source: string;
  variant: string;
  others: string;
  /** Ascending by volume, two or more. */
  cells: AccessCell[];
  /** Factor of the throughput for each doubling of the rows, over all of the time; NaN without a whole round. */
  overall: Estimate;
  /** The same from the first data on. */
  afterStart: Estimate;
  /** Rounds with all volumes. */
  rounds: number;
  /** Verdict on `afterStart`. */
  verdict: 'level' | 'falls' | 'rises' | 'undecided';
}

/** One for every variant with several volumes. */
export function volumeSlopes(cells: readonly AccessCell[]): VolumeSlope[] {
  const lines = new Map<string, AccessCell[]>();
  for (const cell of wholeReads(cells)) {
    const key = JSON.stringify([cell.source, cell.variant, cell.others]);
    lines.set(key, [...(lines.get(key) ?? []), cell]);
  }
  return [...lines.values()].filter((own) => own.length > 1).map(slopeOf);
}

function slopeOf(cells: AccessCell[]): VolumeSlope {
  const [{ source, variant, others, rates }] = cells as [AccessCell];
  const rounds = [...rates.keys()].filter((round) => cells.every((cell) => cell.rates.has(round)));
  const [overall, afterStart] = (['rates', 'ratesAfterStart'] as const).map((speed) =>
    factorsOf(rounds.map((round) => slopeOfRound(cells, (cell) => cell[speed].get(round) as number))),
  ) as [Estimate, Estimate];
  return { source, variant, others, cells, overall, afterStart, rounds: rounds.length, verdict: verdictOf(afterStart) };
}

function slopeOfRound(cells: readonly AccessCell[], rateOf: (cell: AccessCell) => number): number {
  return leastSquaresSlope(cells.map((cell) => [Math.log2(cell.volume), Math.log(rateOf(cell))]));
}

function factorsOf(slopes: readonly number[]): Estimate {
  if (slopes.length === 0) return { estimate: Number.NaN, interval: [0, Number.POSITIVE_INFINITY] };
  const { estimate, interval } = pairedShift(slopes, alpha);
  return { estimate: Math.exp(estimate), interval: [Math.exp(interval[0]), Math.exp(interval[1])] };
}

function verdictOf({ interval: [low, high] }: Estimate): VolumeSlope['verdict'] {
  const [min, max] = [1 - levelShare, 1 + levelShare];
  if (low >= min && high <= max) return 'level';
  if (high < min) return 'falls';
  return low > max ? 'rises' : 'undecided';
}

function leastSquaresSlope(points: readonly (readonly [number, number])[]): number {
  const mean = (of: (point: readonly [number, number]) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [mx, my] = [mean(([x]) => x), mean(([, y]) => y)];
  return mean(([x, y]) => (x - mx) * (y - my)) / mean(([x]) => (x - mx) ** 2);
}
