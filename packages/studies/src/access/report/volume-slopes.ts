/** Whether throughput holds as the volume grows: the change of rows per second for each doubling of the rows. */
import { type Estimate, pairedShift } from '@topo-bench/stats';
import { alpha } from '../../repetition-effect.ts';
import { type AccessCell, wholeReads } from './access-cells.ts';

/** A change within this share for each doubling counts as level. */
const levelShare = 0.05;

export interface VolumeSlope {
  source: string;
  variant: string;
  others: string;
  /** Ascending by volume, two or more. */
  cells: AccessCell[];
  /** Factor of the throughput for each doubling of the rows; NaN without a round with all volumes. */
  perDoubling: Estimate;
  /** Rounds with all volumes. */
  rounds: number;
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
  const slopes = rounds.map((round) =>
    leastSquaresSlope(cells.map((cell) => [Math.log2(cell.volume), Math.log(cell.rates.get(round) as number)])),
  );
  const perDoubling = factorsOf(slopes);
  return { source, variant, others, cells, perDoubling, rounds: rounds.length, verdict: verdictOf(perDoubling) };
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
