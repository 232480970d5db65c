/**
 * The item API of a service that keeps data, apart from its JSON bodies: paths of items, headers with the facts of a
 * call, and the header with the decisions of the enforcement point.
 */

import type { RequestFacts } from './facts.ts';
import type { DeliveredDigests } from './hashing.ts';
import type { Effect } from './schema/rules.ts';

/** Facts that rules can refer to. Under enforcement a call without class, origin or purpose is refused. */
export const factHeaders = {
  class: 'x-topo-class',
  /** Region of origin. */
  origin: 'x-topo-origin',
  purpose: 'x-topo-purpose',
  /** Comma-separated; absent: no consent was given. */
  consents: 'x-topo-consents',
} as const;

/** The headers of a call with these facts: their UTF-8 bytes, each as a character, as HTTP clients expect it. */
export function headersOfFacts({
  class: name,
  origin,
  purpose,
  consents,
}: Pick<RequestFacts, 'class' | 'origin' | 'purpose' | 'consents'>): Record<string, string> {
  return {
    [factHeaders.class]: bytesOf(name),
    [factHeaders.origin]: bytesOf(origin),
    [factHeaders.purpose]: bytesOf(purpose),
    ...(consents.length > 0 && { [factHeaders.consents]: bytesOf(consents.join(',')) }),
  };
}

function bytesOf(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}

/** On answers of an enforcement point: JSON of `ItemEnforcement`. */
export const enforcementHeader = 'x-topo-enforcement';

/** On a service's answers to writes: JSON of the digests of the received fields. */
export const deliveredHeader = 'x-topo-delivered';

/** Status of an answer while the disk of the store is full: Insufficient Storage. */
export const diskFullStatus = 507;

/** Path of a service's items at its enforcement point. Under `none` the service itself serves them at `/items`. */
export function enforcedItemsPath(service: string): string {
  return `/${service}/items`;
}

/** Decisions of an enforcement point about one call. */
export interface ItemEnforcement {
  /** A list decides on every item that it reads. Equal decisions are one entry with their count. */
  decisions: { effect: Effect; rule?: string; count: number }[];
  /** Bytes of refused data that had reached the node of the store, by category of data. */
  exposureBytes: Record<string, number>;
  /** Writes only: digests of the received fields, as reported by the service. */
  delivered?: DeliveredDigests;
}

export interface ItemDecision {
  effect: Effect;
  rule?: string | undefined;
}

/** Longer values would exceed the header limit of common clients (16 KiB). */
const maxLength = 8000;

/** JSON in ASCII. With too many different rules it contains effects only. */
export function writeEnforcement(
  decisions: readonly ItemDecision[],
  others: Omit<ItemEnforcement, 'decisions'> = { exposureBytes: {} },
): string {
  const text = encode({ decisions: counted(decisions), ...others });
  if (text.length <= maxLength) return text;
  return encode({ decisions: counted(decisions.map(({ effect }) => ({ effect }))), ...others });
}

/** @returns undefined for text that `writeEnforcement` did not write */
export function readEnforcement(text: string): ItemEnforcement | undefined {
  try {
    const { decisions, exposureBytes = {}, delivered } = JSON.parse(text) as ItemEnforcement;
    return Array.isArray(decisions) ? { decisions, exposureBytes, ...(delivered && { delivered }) } : undefined;
  } catch {
    return undefined;
  }
}

function counted(decisions: readonly ItemDecision[]): ItemEnforcement['decisions'] {
  const counts = new Map<string, ItemEnforcement['decisions'][number]>();
  for (const { effect, rule } of decisions) {
    const key = `${effect} ${rule ?? ''}`;
    const found = counts.get(key);
    if (found) found.count++;
    else counts.set(key, { effect, ...(rule !== undefined && { rule }), count: 1 });
  }
  return [...counts.values()];
}

function encode(value: ItemEnforcement): string {
  const json = JSON.stringify(value);
  return json.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
