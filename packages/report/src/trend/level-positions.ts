/** Where the levels of an ordered factor are on an axis: levels that double have even distances. */

/** From this ratio of the highest to the lowest level on, the axis is logarithmic. */
const logarithmicFrom = 6;

/**
 * @param levels in ascending order
 * @returns a position from 0 to 1 for each level
 */
export function levelPositions(levels: readonly number[]): number[] {
  const [low, high] = endsOf(levels);
  const logarithmic = isLogarithmic(levels);
  const position = (level: number): number => (logarithmic ? Math.log(level) : level);
  const span = position(high) - position(low) || 1;
  return levels.map((level) => (position(level) - position(low)) / span);
}

/**
 * Label of the axis: a reader cannot see from few levels that their distances are ratios.
 * @param levels in ascending order
 */
export function levelAxisLabel(heading: string, levels: readonly number[]): string {
  return isLogarithmic(levels) ? `${heading}, logarithmic` : heading;
}

function isLogarithmic(levels: readonly number[]): boolean {
  const [low, high] = endsOf(levels);
  return low > 0 && high > logarithmicFrom * low;
}

function endsOf(levels: readonly number[]): [low: number, high: number] {
  return [levels[0] ?? 0, levels.at(-1) ?? 1];
}
