/** Several effects as one text: `1.20 to 3.00`. */
import { formatRatio } from '@topo-bench/report';
import type { Estimate } from '@topo-bench/stats';

type Format = (value: number) => string;

/** From the smallest to the largest; one text where both read alike. */
export function spanText(values: readonly number[], format: Format): string {
  const [low, high] = [Math.min(...values), Math.max(...values)].map(format);
  return low === high ? `${low}` : `${low} to ${high}`;
}

export function estimatesText(effects: readonly Estimate[], format: Format): string {
  return spanText(
    effects.map(({ estimate }) => estimate),
    format,
  );
}

/** `95% intervals within 1.10 to 3.20` */
export function withinText(effects: readonly Estimate[], format: Format): string {
  const ends = effects.flatMap(({ interval }) => interval);
  return `95% intervals within ${format(Math.min(...ends))} to ${format(Math.max(...ends))}`;
}

/** `; in 2 no effect is shown`; empty for none. */
export function restText(count: number, what: string): string {
  return count === 0 ? '' : `; in ${count} no ${what} is shown`;
}

/** `31.0`, for use before the word "times". */
export function timesText(ratio: number): string {
  return formatRatio(ratio).replace('×', '');
}
