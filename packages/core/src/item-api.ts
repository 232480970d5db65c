/**
 * What callers of a service that keeps data send and get in addition to JSON: where its items are, the headers that
 * state the facts of a call, and the header in which the enforcement point reports what it decided.
 */
import type { DeliveredDigests } from './delivered-digest.ts';
import type { Effect } from './schema/rules.ts';

/** Facts that rules can ask about. Under enforcement a call without class, origin or purpose is refused. */
export const factHeaders = {
  class: 'x-topo-class',
  /** Region of origin. */
  origin: 'x-topo-origin',
  purpose: 'x-topo-purpose',
  /** Separated by commas; left out: none was given. */
  consents: 'x-topo-consents',
} as const;

/** On answers of an enforcement point: JSON of `ItemEnforcement`. */
export const enforcementHeader = 'x-topo-enforcement';

/** On answers of a service to a write: JSON of the digests of the fields that it received. */
export const deliveredHeader = 'x-topo-delivered';

/** Path of the items of a service at its enforcement point. Under `none` the service itself has them at `/items`. */
export function enforcedItemsPath(service: string): string {
  return `/${service}/items`;
}

/** What an enforcement point did about one call. */
export interface ItemEnforcement {
  /** A list decides every item that it reads: equal decisions stand together with their count. */
  decisions: { effect: Effect; rule?: string; count: number }[];
  /** Bytes of refused data that had reached the node of the store, by category of data. */
  exposureBytes: Record<string, number>;
  /** Writes only: digests of the fields that the service received, by its own account. */
  delivered?: DeliveredDigests;
}

export interface ItemDecision {
  effect: Effect;
  rule?: string | undefined;
}

/** Longer values would not fit into the head that common clients accept (16 KiB). */
const maxLength = 8000;

/** JSON in ASCII. With very many different rules it names effects only. */
export function writeEnforcement(
  decisions: readonly ItemDecision[],
  others: Omit<ItemEnforcement, 'decisions'> = { exposureBytes: {} },
): string {
  const text = encode({ decisions: counted(decisions), ...others });
  if (text.length <= maxLength) return text;
  return encode({ decisions: counted(decisions.map(({ effect }) => ({ effect }))), ...others });
}

/** @returns undefined when it is no value of `writeEnforcement` */
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
