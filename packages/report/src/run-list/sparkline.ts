/** The range of a small chart without an axis. It spans at least 25%, so that noise does not fill the height. */
import type { SeriesPoint } from './run-list.ts';

const minRatio = 1.25;

/** Low and high end, both above 0; undefined with fewer than two runs. */
export function sparkRange(points: readonly SeriesPoint[]): [low: number, high: number] | undefined {
  const ends = points.flatMap(({ figure: { low, value, high } }) => [low, value, high]);
  const finite = ends.filter((value) => Number.isFinite(value) && value > 0);
  if (points.length < 2 || finite.length === 0) return undefined;
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  const stretch = Math.sqrt(Math.max(1, minRatio / (high / low)));
  return [low / stretch, high * stretch];
}

/** Height of a value, from 0 to 1, on a logarithmic scale: equal ratios have equal heights. +∞ is at the top. */
export function sparkHeight(value: number, [low, high]: readonly [number, number]): number {
  return Math.min(1, Math.max(0, Math.log(value / low) / Math.log(high / low)));
}

/** Runs drawn; earlier ones are in the table of a page. */
export const maxPoints = 40;

const blocks = '▁▂▃▄▅▆▇█';

/** One character for each run with the set-up of the latest one: characters have no line that could leave a gap. */
export function sparkText(all: readonly SeriesPoint[]): string {
  const latest = all.at(-1)?.run.setup.number;
  const points = all.filter(({ run }) => run.setup.number === latest).slice(-maxPoints);
  const range = sparkRange(points);
  if (!range) return '';
  return points
    .map(({ figure }) => blocks[Math.min(blocks.length - 1, Math.floor(sparkHeight(figure.value, range) * 8))])
    .join('');
}
