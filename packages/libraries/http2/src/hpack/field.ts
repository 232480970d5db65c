/** Header fields of HPACK (RFC 7541), and its one error. */

/** Latin-1 text: one character per byte. */
export type HeaderField = readonly [name: string, value: string];

/** A decoding error of RFC 7541. It ends the connection, because the dynamic tables of both peers no longer agree. */
export class HpackError extends Error {
  override readonly name = 'HpackError';
}
