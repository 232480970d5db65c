/** Holm's correction: several tests at once, without more false alarms than one would give. */

/**
 * Adjusted p-values in the order given: compare each with α to keep the chance of any false rejection at α, however the tests
 * depend on each other. Source: Holm, Scand. J. Stat. 6 (1979) 65–70.
 */
export function holm(pValues: readonly number[]): number[] {
  const ascending = pValues.map((_, i) => i).sort((a, b) => (pValues[a] as number) - (pValues[b] as number));
  const adjusted = new Array<number>(pValues.length);
  let least = 0;
  ascending.forEach((index, place) => {
    // An adjusted value is at least that of every smaller p-value: once one is kept, so are all after it.
    least = Math.max(least, Math.min(1, (pValues.length - place) * (pValues[index] as number)));
    adjusted[index] = least;
  });
  return adjusted;
}
