/** Sets of the rows of a batch: a byte per row, 1 for a member, so that loops over them need no branch. */

/** Rows by their place in the batch as it came; `all` stands for every one. */
export type RowMask = Uint8Array | 'all';

/** The rows whose code is a member. @param codeCount all codes are below */
export function rowsWithCodes(codes: Int32Array, memberCodes: readonly number[], codeCount: number): Uint8Array {
  const isMember = new Uint8Array(codeCount);
  for (const code of memberCodes) isMember[code] = 1;
  const { length } = codes;
  const mask = new Uint8Array(length);
  let row = 0;
  // Four at a time: what the loop itself costs is more than the look-up.
  for (const end = length - 3; row < end; row += 4) {
    mask[row] = isMember[codes[row] as number] as number;
    mask[row + 1] = isMember[codes[row + 1] as number] as number;
    mask[row + 2] = isMember[codes[row + 2] as number] as number;
    mask[row + 3] = isMember[codes[row + 3] as number] as number;
  }
  for (; row < length; row++) mask[row] = isMember[codes[row] as number] as number;
  return mask;
}

export function isMasked(mask: RowMask | undefined, row: number): boolean {
  return mask !== undefined && (mask === 'all' || mask[row] === 1);
}

export function eitherOf(first: RowMask | undefined, second: RowMask | undefined): RowMask | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  if (first === 'all' || second === 'all') return 'all';
  const mask = new Uint8Array(first.length);
  for (let row = 0; row < mask.length; row++) mask[row] = (first[row] as number) | (second[row] as number);
  return mask;
}

export function bothOf(first: RowMask, second: RowMask): RowMask {
  if (first === 'all' || second === 'all') return first === 'all' ? second : first;
  const mask = new Uint8Array(first.length);
  for (let row = 0; row < mask.length; row++) mask[row] = (first[row] as number) & (second[row] as number);
  return mask;
}

/** @returns undefined for `all`: nothing is outside of it */
export function outside(mask: RowMask): Uint8Array | undefined {
  if (mask === 'all') return undefined;
  const others = new Uint8Array(mask.length);
  for (let row = 0; row < mask.length; row++) others[row] = (mask[row] as number) ^ 1;
  return others;
}
