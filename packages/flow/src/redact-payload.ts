/** The permitted copy of a payload: values at JSON pointers (RFC 6901) are removed or replaced by pseudonyms. */
import type { Hashing } from '@topo-bench/core';

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
 * @param pseudonym of a value
 */
export function redactPayload(
  payload: Record<string, unknown>,
  redaction: Redaction,
  pseudonym: Hashing['pseudonym'],
): Record<string, unknown> {
  const root: Place = { members: new Map() };
  // Removals are set last, so that they take precedence.
  for (const pointer of redaction.pseudonymise) placeOf(root, pointer).action = 'pseudonymise';
  for (const pointer of redaction.remove) placeOf(root, pointer).action = 'remove';
  return redact(payload, root, pseudonym) as Record<string, unknown>;
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

function redact(value: unknown, place: Place, pseudonym: Hashing['pseudonym']): unknown {
  if (place.action === 'pseudonymise') return pseudonym(value);
  if (place.members.size === 0 || typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const below = place.members.get(name);
    if (!below) return [[name, member]];
    return below.action === 'remove' ? [] : [[name, redact(member, below, pseudonym)]];
  });
  // `fromEntries` creates own members even for names like `__proto__`.
  return Array.isArray(value) ? kept.map(([, member]) => member) : Object.fromEntries(kept);
}
