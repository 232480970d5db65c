/** Holm's correction: several tests with the false-alarm rate of one. */

/**
 * Adjusted p-values in the given order. Comparing each with α bounds the probability of any false rejection by α, for
 * tests with any dependence. Source: Holm, Scand. J. Stat. 6 (1979) 65–70.
 */
export function holm(pValues: readonly number[]): number[] {
  const ascending = pValues.map((_, i) => i).sort((a, b) => (pValues[a] as number) - (pValues[b] as number));
  const adjusted = new Array<number>(pValues.length);
  let lowerBound = 0;
  ascending.forEach((index, place) => {
    // An adjusted value is at least that of every smaller p-value: after one kept hypothesis all later ones are kept.
    lowerBound = Math.max(lowerBound, Math.min(1, (pValues.length - place) * (pValues[index] as number)));
    adjusted[index] = lowerBound;
  });
  return adjusted;
}
