/**
 * Formats figures for all forms of the report: milliseconds with four significant digits, missing figures as a dash.
 */
import type { Summary } from '@topo-bench/core/schema/result';

export const missing = '–';

/** Milliseconds without unit; +∞ as `infinite`. */
export function formatMs(us: number, infinite: string): string {
  if (us === Number.POSITIVE_INFINITY) return infinite;
  return formatFigure(us / 1e3);
}

/** Four significant digits, never in exponent form: 0.1234, 12.34, 1234, 45678. */
export function formatFigure(value: number): string {
  if (Number.isNaN(value)) return missing;
  if (value === 0) return '0';
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  return value.toFixed(Math.min(6, Math.max(0, 3 - magnitude)));
}

/** A rounded whole number with thousands separators. */
export function formatCount(value: number): string {
  return Number.isNaN(value) ? missing : Math.round(value).toLocaleString('en-US');
}

/**
 * Text for an infinite figure: longer than the drain and than every finite figure next to it.
 * @param nextToUs figures next to the text, in µs; infinite and missing ones are ignored
 */
export function infiniteText(drainUs: number, nextToUs: Iterable<number> = []): string {
  if (Number.isNaN(drainUs)) return '∞';
  let boundUs = Number(drainUs.toPrecision(3));
  // Rounded like `formatFigure`, so that the bound is not below the displayed figure.
  for (const us of nextToUs) if (Number.isFinite(us) && us > boundUs) boundUs = 1e3 * Number(formatFigure(us / 1e3));
  return boundUs >= 1e6 ? `> ${trimmed(boundUs / 1e6)} s` : `> ${trimmed(boundUs / 1e3)} ms`;
}

/** Removes rounding errors of binary arithmetic. */
function trimmed(value: number): number {
  return Number(value.toPrecision(12));
}

/** The times of a summary, in µs. */
export function timesOf({ count: _count, ...times }: Summary): number[] {
  return Object.values(times);
}

/** A rounded ratio: `0.0043×`, `1.80×`, `12.3×`; a dash when a figure is unknown or infinite. */
export function formatRatio(ratio: number): string {
  if (!Number.isFinite(ratio)) return missing;
  // Rounded first: 9.999 is in the next range.
  const rounded = Number(ratio.toPrecision(3));
  if (rounded > 0 && rounded < 0.1) return `${Number(ratio.toPrecision(2))}×`;
  return `${rounded < 10 ? rounded.toFixed(2) : rounded < 100 ? rounded.toFixed(1) : rounded.toFixed(0)}×`;
}

/** The 95% interval of a ratio: `[12.9, 15.2]`; `[unknown]` with too few repetitions. */
export function formatRatioInterval([low, high]: readonly [number, number]): string {
  if (!(low > 0) || !Number.isFinite(high)) return '[unknown]';
  return `[${formatRatio(low).slice(0, -1)}, ${formatRatio(high).slice(0, -1)}]`;
}

/** A number with at most two decimals, none for whole numbers. */
export function formatShort(value: number): string {
  return Number.isNaN(value) ? missing : String(Number(value.toFixed(2)));
}

/** Formats milliseconds. A figure that is only a lower bound, because requests did not finish, reads `> 1171`. */
export function formatAtLeastMs({ us, atLeast }: { us: number; atLeast: boolean }, drainUs: number): string {
  const text = formatMs(us, infiniteText(drainUs));
  return atLeast && Number.isFinite(us) ? `> ${text}` : text;
}
