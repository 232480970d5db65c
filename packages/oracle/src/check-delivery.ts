/** Compares the payloads that services received with the expected ones, by digests under the key of the run. */
import { deliveredDigests, valueDigest } from '@topo-bench/core/delivered-digest';
import type { Delivered, GatewayRequest } from '@topo-bench/core/gateway-api';
import type { DeliveredDigests } from '@topo-bench/core/hashing';
import type { DeliveryKeys } from '@topo-bench/core/role-secrets';
import { type Redactions, redactedCopy } from './redacted-copy.ts';

/** A copy that a service must receive. */
export interface ExpectedDelivery extends Redactions {
  service: string;
}

/**
 * @param ended whether the request completed or was refused; if so, no delivery may be missing
 * @returns a sentence for each wrong, missing or unexpected delivery
 */
export function checkDelivery(
  expected: readonly ExpectedDelivery[],
  delivered: Delivered,
  { payload }: Pick<GatewayRequest, 'payload'>,
  ended: boolean,
  keys: DeliveryKeys,
): string[] {
  const reasons: string[] = [];
  const compare = onceEach((copy: number, right: Redactions) => {
    return compareFields(payload, right, delivered.copies[copy] ?? {}, keys);
  });
  const done = new Set<number>();
  let next = 0;
  for (const { service, copy } of delivered.services) {
    let at = next;
    while (at < expected.length && expected[at]?.service !== service) at++;
    const right = expected[at];
    if (!right) {
      reasons.push(`${service} received the payload, expected none`);
      continue;
    }
    next = at + 1;
    done.add(at);
    const faults = compare(copy, right);
    if (faults.length > 0) reasons.push(`${service} received ${faults.join(', ')}`);
  }
  expected.forEach(({ service }, i) => {
    if (ended && !done.has(i))
      reasons.push(`${service} received nothing, expected ${describe(expected[i] as ExpectedDelivery)}`);
  });
  return reasons;
}

/** Many services receive the same copy: its hashes take most of the time of a check. */
function onceEach<Result>(
  compare: (copy: number, right: Redactions) => Result,
): (copy: number, right: Redactions) => Result {
  const known = new Map<string, Result>();
  return (copy, right) => {
    const key = JSON.stringify([copy, right.remove, right.pseudonymise]);
    const before = known.get(key);
    if (before !== undefined) return before;
    const result = compare(copy, right);
    known.set(key, result);
    return result;
  };
}

/** A phrase for each field that differs. */
function compareFields(
  payload: Record<string, unknown>,
  redactions: Redactions,
  got: Readonly<DeliveredDigests>,
  { pseudonymKey, digestKey }: DeliveryKeys,
): string[] {
  const copy = redactedCopy(payload, redactions, pseudonymKey) as Record<string, unknown>;
  const right = deliveredDigests(copy, digestKey);
  const fields = new Set([...Object.keys(right), ...Object.keys(got)]);
  return [...fields].flatMap((field) => {
    const [came, due] = [own(got, field), own(right, field)];
    if (came === due) return [];
    const original = Object.hasOwn(payload, field) ? valueDigest(payload[field], digestKey) : undefined;
    const what = came === undefined ? 'no' : came === original ? 'the original' : 'another';
    return [
      `${what} ${JSON.stringify(field)} (expected ${due === undefined ? 'none' : due === original ? 'the original' : 'it redacted'})`,
    ];
  });
}

function own(digests: Readonly<DeliveredDigests>, field: string): string | undefined {
  return Object.hasOwn(digests, field) ? digests[field] : undefined;
}

function describe({ remove, pseudonymise }: Redactions): string {
  const without = remove.length > 0 ? ` without ${remove.join(', ')}` : '';
  const pseudonyms = pseudonymise.length > 0 ? ` with pseudonyms at ${pseudonymise.join(', ')}` : '';
  return `the payload${without}${pseudonyms}`;
}
