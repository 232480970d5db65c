/** Sets of the rows of a batch: a byte per row, 1 for a member, so that loops over them need no branch. */

/** Rows by their place in the batch as it came; `all` stands for every one. */
export type RowMask = Uint8Array | 'all';

/** The rows whose code is a member. */
export function rowsWithCodes(codes: Int32Array, memberCodes: readonly number[]): Uint8Array {
  const isMember = new Uint8Array(1 + Math.max(-1, ...memberCodes));
  for (const code of memberCodes) isMember[code] = 1;
  const mask = new Uint8Array(codes.length);
  for (let row = 0; row < mask.length; row++) mask[row] = isMember[codes[row] as number] as number;
  return mask;
}

export function isMasked(mask: RowMask | undefined, row: number): boolean {
  return mask !== undefined && (mask === 'all' || mask[row] === 1);
}

export function eitherOf(first: RowMask | undefined, second: RowMask | undefined): RowMask | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return first === 'all' || second === 'all' ? 'all' : first.map((is, row) => is | (second[row] as number));
}

export function bothOf(first: RowMask, second: RowMask): RowMask {
  if (first === 'all' || second === 'all') return first === 'all' ? second : first;
  return first.map((is, row) => is & (second[row] as number));
}

/** @returns undefined for `all`: nothing is outside of it */
export function outside(mask: RowMask): Uint8Array | undefined {
  return mask === 'all' ? undefined : mask.map((is) => is ^ 1);
}
