/** Figures as text, the same in every form of the report: milliseconds with four significant digits, and what is missing as a dash. */

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

/** A whole number with its thousands apart. */
export function formatCount(value: number): string {
  return Number.isNaN(value) ? missing : Math.round(value).toLocaleString('en-US');
}

/** How an infinite quantile is written: longer than anybody waited. */
export function infiniteText(drainUs: number): string {
  if (Number.isNaN(drainUs)) return '∞';
  return drainUs >= 1e6 ? `> ${Number((drainUs / 1e6).toPrecision(3))} s` : `> ${Number((drainUs / 1e3).toPrecision(3))} ms`;
}

/** A ratio as people say it: `1.8×`, `12×`; a dash where one of the two is not known or not finite. */
export function formatRatio(ratio: number): string {
  if (!Number.isFinite(ratio)) return missing;
  return `${ratio < 10 ? ratio.toFixed(2) : ratio < 100 ? ratio.toFixed(1) : ratio.toFixed(0)}×`;
}

/** A number with at most two decimals, none for whole numbers. */
export function formatShort(value: number): string {
  return Number.isNaN(value) ? missing : String(Number(value.toFixed(2)));
}

/** Milliseconds of a figure that may be a lower bound only, as where unfinished requests take part: `> 1171`. */
export function formatAtLeastMs({ us, atLeast }: { us: number; atLeast: boolean }, drainUs: number): string {
  const text = formatMs(us, infiniteText(drainUs));
  return atLeast && Number.isFinite(us) ? `> ${text}` : text;
}
