/** The copy of a payload that a target must get, written from the semantics alone: no code is shared with the services that redact. */
import { createHmac } from 'node:crypto';

/** JSON pointers (RFC 6901) into the payload. */
export interface Redactions {
  readonly remove: readonly string[];
  readonly pseudonymise: readonly string[];
}

/**
 * Every pointer is about the original: of a pointer and one below it the upper decides, a pointer in both lists is removed, one that
 * leads nowhere does nothing, and removed elements of a list leave no gap. A pseudonym is the HMAC-SHA-256 of the value's JSON in
 * hexadecimal.
 * @param key of the run's pseudonyms
 */
export function redactedCopy(payload: unknown, { remove, pseudonymise }: Redactions, key: string): unknown {
  const pointers = [...remove, ...pseudonymise];
  const copyOf = (value: unknown, place: string): unknown => {
    const concerned = pointers.some((pointer) => pointer.startsWith(`${place}/`));
    if (!concerned || typeof value !== 'object' || value === null) return value;
    const members: [string, unknown][] = [];
    for (const [name, member] of Object.entries(value)) {
      const at = `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (remove.includes(at)) continue;
      members.push([name, pseudonymise.includes(at) ? pseudonymOf(member, key) : copyOf(member, at)]);
    }
    // `fromEntries` defines own members, `__proto__` among them.
    return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
  };
  return copyOf(payload, '');
}

function pseudonymOf(value: unknown, key: string): string {
  return createHmac('sha256', key).update(JSON.stringify(value)).digest('hex');
}
