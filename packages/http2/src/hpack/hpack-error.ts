/** A header block that RFC 7541 calls a decoding error: the connection cannot go on, as its table is not known any more. */
export class HpackError extends Error {}
