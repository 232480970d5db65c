/** The permitted copy of a payload: values at JSON pointers (RFC 6901) are removed or replaced by pseudonyms. */
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
 * Returns a copy; the original is unchanged. Parts without pointers are shared with it. Pointers without a target have
 * no effect. A removed element of a list closes the gap; pointers refer to the original positions.
 * @param key of the run's pseudonyms: a value has the same pseudonym throughout a run, and another in the next
 */
export function redactPayload(
  payload: Record<string, unknown>,
  redaction: Redaction,
  key: string,
): Record<string, unknown> {
  const root: Place = { members: new Map() };
  // Removals are set last, so that they take precedence.
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
  // `fromEntries` creates own members even for names like `__proto__`.
  return Array.isArray(value) ? kept.map(([, member]) => member) : Object.fromEntries(kept);
}
