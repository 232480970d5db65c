/** Round values for the ticks of a logarithmic axis, also where its range has no power of ten. */

/** More ticks than this overlap on a small chart. */
const maxTicks = 8;

/**
 * Powers of ten. Up to 2.5 decades, also their multiples by 2 and 5; up to one decade, finer round steps. A range that
 * has fewer than two of these gets even steps.
 * @param low positive
 * @returns two to eight values in ascending order, where `high` is at least 1.02 × `low`
 */
export function roundTicks(low: number, high: number): number[] {
  const decades = Math.log10(high / low);
  const factors = decades > 2.5 ? [1] : decades > 1 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 7];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
    for (const factor of factors) ticks.push(Number((factor * 10 ** power).toPrecision(3)));
  }
  const within = ticks.filter((tick) => tick >= low && tick <= high);
  if (within.length < 2) return evenTicks(low, high);
  const every = Math.ceil(within.length / maxTicks);
  return within.filter((_, at) => at % every === 0);
}

/** Multiples of 1, 2 or 5 times a power of ten. The step is between a fifth and a half of the range. */
function evenTicks(low: number, high: number): number[] {
  const rough = (high - low) / 5;
  const power = Math.floor(Math.log10(rough));
  const factor = [1, 2, 5].find((one) => one * 10 ** power >= rough) ?? 10;
  const step = factor * 10 ** power;
  const first = Math.ceil(low / step);
  const count = Math.max(0, Math.floor(high / step) - first + 1);
  return Array.from({ length: count }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}
