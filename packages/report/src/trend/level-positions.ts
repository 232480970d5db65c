/** Where the levels of an ordered factor are on an axis: levels that double have even distances. */

/** From this ratio of the highest to the lowest level on, the axis is logarithmic. */
const logarithmicFrom = 6;

/**
 * @param levels in ascending order
 * @returns a position from 0 to 1 for each level
 */
export function levelPositions(levels: readonly number[]): number[] {
  const [low = 0] = levels;
  const high = levels.at(-1) ?? 1;
  const logarithmic = low > 0 && high > logarithmicFrom * low;
  const position = (level: number): number => (logarithmic ? Math.log(level) : level);
  const span = position(high) - position(low) || 1;
  return levels.map((level) => (position(level) - position(low)) / span);
}
