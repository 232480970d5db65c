/**
 * Digests of delivered data. A target returns one per payload field that it received. The oracle computes the same
 * digests from the payload that it expects. The key is drawn per run, so recorded digests cannot be traced to values.
 * Import it by path, since it loads `node:crypto`.
 */
import { createHmac } from 'node:crypto';
import type { DeliveredDigests } from './hashing.ts';

/** Characters of a digest: 72 bits. A wrong value matches by chance once in 5 · 10²¹ fields. */
const digestChars = 12;

/**
 * One digest per field of a payload, in the order of its fields.
 * @param key of the run: `RoleSecrets.digestKey`
 */
export function deliveredDigests(payload: Readonly<Record<string, unknown>>, key: string): DeliveredDigests {
  const digests: DeliveredDigests = Object.create(null);
  for (const [field, value] of Object.entries(payload)) {
    if (value !== undefined) digests[field] = valueDigest(value, key);
  }
  return digests;
}

/** The first 72 bits of HMAC-SHA-256 (RFC 2104) over the canonical JSON of a value, as base64url. */
export function valueDigest(value: unknown, key: string): string {
  return createHmac('sha256', key).update(canonicalJson(value)).digest('base64url').slice(0, digestChars);
}

/**
 * JSON text without spaces, with object members sorted by UTF-16 code units. A store or parser that reorders members
 * thus leaves the digest unchanged. A bigint is written as a number, a date as its ISO text.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (value instanceof Date) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
