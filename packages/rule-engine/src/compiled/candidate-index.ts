/** Finds the rules of one target that can match at all, by what the request says, so that the others cost nothing. */
import type { Expression } from '../expression.ts';
import { type CandidateKey, candidateKeys } from './candidate-keys.ts';
import type { Slots, SlotValues } from './slots.ts';

interface SlotIndex<T> {
  readonly slot: number;
  readonly relation: CandidateKey['relation'];
  readonly buckets: Map<unknown, T[]>;
}

export class CandidateIndex<T> {
  private readonly always: T[] = [];
  private readonly indexes: SlotIndex<T>[] = [];

  /** @param entries what to find, each with the expression that must hold for it */
  constructor(entries: readonly { readonly item: T; readonly expression: Expression }[], slots: Slots) {
    const cost = keyPopularity(
      entries.map(({ expression }) => expression),
      slots,
    );
    for (const { item, expression } of entries) {
      const keys = candidateKeys(expression, slots, cost);
      if (!keys) this.always.push(item);
      else for (const key of keys) this.bucketOf(key).push(item);
    }
  }

  /** Calls `visit` for every item whose expression can hold; more than once for an item when several of its keys are met. */
  visit(values: SlotValues, visit: (item: T) => void): void {
    for (const item of this.always) visit(item);
    for (const { slot, relation, buckets } of this.indexes) {
      const value = values[slot];
      if (relation === 'equals') visitAll(buckets.get(value), visit);
      else if (Array.isArray(value)) for (const element of value) visitAll(buckets.get(element), visit);
    }
  }

  private bucketOf({ slot, relation, value }: CandidateKey): T[] {
    let index = this.indexes.find((one) => one.slot === slot && one.relation === relation);
    if (!index) {
      index = { slot, relation, buckets: new Map() };
      this.indexes.push(index);
    }
    let bucket = index.buckets.get(value);
    if (!bucket) {
      bucket = [];
      index.buckets.set(value, bucket);
    }
    return bucket;
  }
}

function visitAll<T>(bucket: readonly T[] | undefined, visit: (item: T) => void): void {
  if (bucket) for (const item of bucket) visit(item);
}

/** How many comparisons of all expressions ask for a key: the rarer a key, the fewer rules it brings up. */
function keyPopularity(expressions: readonly Expression[], slots: Slots): (key: CandidateKey) => number {
  const counts = new Map<string, Map<unknown, number>>();
  const countsOf = ({ slot, relation }: CandidateKey): Map<unknown, number> => {
    const id = `${slot} ${relation}`;
    let known = counts.get(id);
    if (!known) {
      known = new Map();
      counts.set(id, known);
    }
    return known;
  };
  const count = (expression: Expression): void => {
    if (expression.kind === 'not') return;
    if (expression.kind !== 'compare') {
      for (const member of expression.members) count(member);
      return;
    }
    for (const key of candidateKeys(expression, slots, () => 1) ?? []) {
      const known = countsOf(key);
      known.set(key.value, (known.get(key.value) ?? 0) + 1);
    }
  };
  for (const expression of expressions) count(expression);
  return (key) => countsOf(key).get(key.value) ?? 0;
}
