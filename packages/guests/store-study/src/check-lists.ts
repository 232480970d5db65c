/**
 * Compares the answer to a list of items with the oracle: each item, the reported decisions, and the end of the list.
 * Nothing in it may depend on denied items: they are neither counted nor make a page shorter.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ItemEnforcement } from '@topo-bench/core';
import type { ItemLike, ItemOracle } from '@topo-bench/oracle/item-calls';
import type { StoreRequest } from '@topo-bench/workload';
import { refusalFault } from './refusals.ts';
import type { StoredForms } from './stored-forms.ts';

interface ListAnswer {
  status: number;
  enforcement: ItemEnforcement;
  body: unknown;
}

const filterFields = ['customer', 'status'];

/** @returns undefined for a right answer, else the fault */
export function listFault(
  { oracle }: { oracle: ItemOracle },
  forms: StoredForms,
  { facts, path }: Pick<StoreRequest, 'facts' | 'path'>,
  { status, enforcement, body }: ListAnswer,
): string | undefined {
  const parameters = new URLSearchParams(path.slice(path.indexOf('?')));
  const filters = filterFields.filter((field) => parameters.has(field));
  const right = [oracle.call(facts), oracle.filter(facts, filters)].find(({ refused }) => refused);
  if (right?.refused) return refusalFault(status, enforcement, right.rule);
  if (status >= 500) return undefined;
  const { items, next } = (body ?? {}) as { items?: ItemLike[]; next?: unknown };
  if (!Array.isArray(items)) return `a list was answered ${status} without items`;
  const seen = new Map<string, number>();
  for (const item of items) {
    const form = forms.of(String(item.id)).find((one) => {
      const matches = filters.every((field) => one[field] === parameters.get(field));
      return matches && isDeepStrictEqual(oracle.visible(facts, one), item);
    });
    if (!form) return `a list contains ${item.id} in a form that rules do not leave of it`;
    const { effect, rule } = oracle.decide(facts, form);
    const key = `${effect} ${rule ?? ''}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  if (enforcement.decisions.some(({ effect }) => effect === 'deny')) return 'a list reports items that rules deny';
  const told = enforcement.decisions.map(({ effect, rule, count }) => [`${effect} ${rule ?? ''}`, count] as const);
  if (!isDeepStrictEqual(new Map(told), seen)) return 'a list was decided otherwise than its items';
  const limit = Number(parameters.get('limit'));
  if (items.length === limit && typeof next === 'string') return undefined;
  if (items.length >= limit || next !== null)
    return `a list of ${items.length} items, wanted ${limit}, ${next === null ? 'ends' : 'continues'}`;
  // The list has all matches: unwritten rows must be in it, unless a rule denies them.
  const there = new Set(items.map(({ id }) => id));
  const [customer, wanted] = filterFields.map((field) => parameters.get(field) ?? undefined);
  const missing = forms
    .untouched(customer, wanted)
    .find((one) => !there.has(one.id) && oracle.visible(facts, one) !== undefined);
  return missing && `a list lacks ${missing.id}, which no rule denies`;
}
