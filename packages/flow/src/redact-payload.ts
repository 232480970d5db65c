/**
 * The copy of a payload that a target may have: values at JSON pointers (RFC 6901) taken out or replaced by pseudonyms.
 */
import { createHmac } from 'node:crypto';

export interface Redaction {
  readonly remove: readonly string[];
  /** A pointer that is also removed is removed. */
  readonly pseudonymise: readonly string[];
}

interface Place {
  action?: 'remove' | 'pseudonymise';
  members: Map<string, Place>;
}

/**
 * A copy; the original stays as it is, and parts that no pointer leads to are shared with it. Pointers that lead
 * nowhere do nothing. A removed element of a list closes the gap; pointers count by the original places.
 * @param key of the run's pseudonyms: the same value has the same pseudonym throughout a run, and another in the next
 */
export function redactPayload(
  payload: Record<string, unknown>,
  redaction: Redaction,
  key: string,
): Record<string, unknown> {
  const root: Place = { members: new Map() };
  // Removal is noted last, so that it wins.
  for (const pointer of redaction.pseudonymise) placeOf(root, pointer).action = 'pseudonymise';
  for (const pointer of redaction.remove) placeOf(root, pointer).action = 'remove';
  return redact(payload, root, key) as Record<string, unknown>;
}

/** HMAC-SHA-256 (RFC 2104) of the value's JSON, in hexadecimal. */
export function pseudonym(value: unknown, key: string): string {
  return createHmac('sha256', key).update(JSON.stringify(value)).digest('hex');
}

function placeOf(root: Place, pointer: string): Place {
  let place = root;
  for (const part of pointer.slice(1).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    let member = place.members.get(name);
    if (!member) {
      member = { members: new Map() };
      place.members.set(name, member);
    }
    place = member;
  }
  return place;
}

function redact(value: unknown, place: Place, key: string): unknown {
  if (place.action === 'pseudonymise') return pseudonym(value, key);
  if (place.members.size === 0 || typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const below = place.members.get(name);
    if (!below) return [[name, member]];
    return below.action === 'remove' ? [] : [[name, redact(member, below, key)]];
  });
  // `fromEntries` makes own members even of names like `__proto__`.
  return Array.isArray(value) ? kept.map(([, member]) => member) : Object.fromEntries(kept);
}
