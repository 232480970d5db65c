/** The redacted copy that a target must receive. Written from the semantics, without code of the services. */
import { createHmac } from 'node:crypto';

/** JSON pointers (RFC 6901) into the payload. */
export interface Redactions {
  readonly remove: readonly string[];
  readonly pseudonymise: readonly string[];
}

/**
 * All pointers refer to the original. A pointer takes precedence over those below it. A pointer in both lists is
 * removed. A pointer to nothing has no effect. Removed list elements leave no gap. A pseudonym is the HMAC-SHA-256 of
 * the value's JSON, in hexadecimal.
 * @param key key of the run's pseudonyms
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
    // `fromEntries` defines own members, including `__proto__`.
    return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
  };
  return copyOf(payload, '');
}

function pseudonymOf(value: unknown, key: string): string {
  return createHmac('sha256', key).update(JSON.stringify(value)).digest('hex');
}
