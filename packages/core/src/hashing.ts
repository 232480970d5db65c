/**
 * Hashing as an argument: pure packages take digests and pseudonyms from their caller. Roles pass keyed hashes
 * (`keyed-hashing.ts`). A simulation may pass anything that is equal for equal values.
 */

/** Digest by payload field. The object has no prototype, so that `__proto__` and `constructor` are ordinary fields. */
export type DeliveredDigests = Record<string, string>;

export interface Hashing {
  /** One digest per field of a received payload. */
  digests(payload: Readonly<Record<string, unknown>>): DeliveredDigests;
  /** Replaces a value: the same throughout a run. */
  pseudonym(value: unknown): string;
}
