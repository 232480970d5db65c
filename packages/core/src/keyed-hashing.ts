/** The hashes of roles: HMAC under the keys of the run. Import it by path, since it loads `node:crypto`. */
import { createHmac } from 'node:crypto';
import { deliveredDigests } from './delivered-digest.ts';
import type { Hashing } from './hashing.ts';
import type { DeliveryKeys } from './role-secrets.ts';

export function keyedHashing({ digestKey, pseudonymKey }: DeliveryKeys): Hashing {
  return {
    digests: (payload) => deliveredDigests(payload, digestKey),
    pseudonym: (value) => pseudonym(value, pseudonymKey),
  };
}

/**
 * HMAC-SHA-256 (RFC 2104) of the value's JSON, in hexadecimal.
 * @param key of the run's pseudonyms: a value has the same pseudonym throughout a run, and another in the next
 */
export function pseudonym(value: unknown, key: string): string {
  return createHmac('sha256', key).update(JSON.stringify(value)).digest('hex');
}
