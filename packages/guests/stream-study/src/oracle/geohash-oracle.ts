/** Geohash cells by repeated halving, as geohash.org describes them: for the oracle, apart from the engine's bits. */

/** Bits of a character in base 32. */
const bitsPerCharacter = 5;

/** @param length characters @returns the bits of the cell as a whole number */
export function cellByHalving(length: number, latitude: number, longitude: number): number {
  let [west, east, south, north] = [-180, 180, -90, 90];
  let cell = 0;
  for (let bit = 0; bit < length * bitsPerCharacter; bit++) {
    let isUpper: boolean;
    if (bit % 2 === 0) {
      const middle = (west + east) / 2;
      isUpper = longitude >= middle;
      if (isUpper) west = middle;
      else east = middle;
    } else {
      const middle = (south + north) / 2;
      isUpper = latitude >= middle;
      if (isUpper) south = middle;
      else north = middle;
    }
    cell = cell * 2 + (isUpper ? 1 : 0);
  }
  return cell;
}
