/**
 * Finds the rules of one target that can match, by the facts of the request. Other rules cost nothing. The index is a
 * tree: each node looks up the rarest key of every rule. Rules that share a key are split in the next node by another
 * of their conditions.
 */
import type { Expression } from '../expression.ts';
import { BitmapIndex } from './bitmap-index.ts';
import { type CandidateKey, type KeyChoice, keyChoices } from './candidate-keys.ts';
import type { Slots, SlotValues } from './slots.ts';

/** An entry of the index, with the expression that must be true for it. */
export interface Entry<T> {
  readonly item: T;
  readonly expression: Expression;
}

export interface CandidateIndex<Leaf> {
  /** Evaluated without a look-up: their conditions have no keys, or few entries share their keys. */
  readonly leaves: readonly Leaf[];
  /** Leaves without keys, if there are many. */
  readonly bitmap: BitmapIndex<Leaf> | undefined;
  readonly lookups: readonly Lookup<Leaf>[];
}

interface Lookup<Leaf> extends Omit<CandidateKey, 'value'> {
  readonly branches: ReadonlyMap<unknown, CandidateIndex<Leaf>>;
}

/** Max entries for which evaluating all is as fast as a look-up. */
const maxLeaves = 4;
/** Max entries without keys for which evaluating all is as fast as the bitmaps. */
const maxLeavesWithoutBitmap = 32;
/** Max copies of an entry below the first node. Each key of an entry adds a copy. */
const maxCopies = 16;

/** @param leaf converts an entry for `visitCandidates`; its expression is the part that no key on the path covers */
export function buildIndex<T, Leaf>(
  entries: readonly Entry<T>[],
  slots: Slots,
  leaf: LeafOf<T, Leaf>,
): CandidateIndex<Leaf> {
  const whole = entries.map((entry) => ({ ...entry, copies: 1 }));
  return buildNode(whole, slots, leaf, () => true);
}

type LeafOf<T, Leaf> = (entry: Entry<T>) => Leaf;

interface Copy<T> extends Entry<T> {
  /** Number of copies of the entry, from the keys on the path. */
  readonly copies: number;
}

function buildNode<T, Leaf>(
  entries: readonly Copy<T>[],
  slots: Slots,
  leaf: LeafOf<T, Leaf>,
  isFit: (choice: KeyChoice, copies: number) => boolean,
): CandidateIndex<Leaf> {
  const unkeyed: Copy<T>[] = [];
  const groups = new KeyMap<Copy<T>[]>(() => []);
  const choices = entries.map(({ expression }) => keyChoices(expression, slots, fewestKeys));
  const rarest = rarestKeys(choices.flat());
  for (const [i, entry] of entries.entries()) {
    const choice = rarest(choices[i]?.filter((one) => isFit(one, entry.copies)) ?? []);
    if (!choice) {
      unkeyed.push(entry);
      continue;
    }
    const copy = { item: entry.item, expression: choice.rest, copies: entry.copies * choice.keys.length };
    for (const key of choice.keys) groups.at(key).push(copy);
  }
  const branch = (group: readonly Copy<T>[]): CandidateIndex<Leaf> =>
    group.length > maxLeaves ? buildNode(group, slots, leaf, isFitForSplit) : flat(group, slots, leaf);
  return { ...flat(unkeyed, slots, leaf), lookups: groups.lookups(branch) };
}

function flat<T, Leaf>(entries: readonly Copy<T>[], slots: Slots, leaf: LeafOf<T, Leaf>): CandidateIndex<Leaf> {
  const leaves = entries.map(leaf);
  if (leaves.length <= maxLeavesWithoutBitmap) return { leaves, bitmap: undefined, lookups: [] };
  const expressions = entries.map(({ expression }) => expression);
  return { leaves: [], bitmap: new BitmapIndex(leaves, expressions, slots), lookups: [] };
}

/** Below the first node every split must shorten the condition. Otherwise the recursion would not end. */
function isFitForSplit({ keys, shrinks }: KeyChoice, copies: number): boolean {
  return shrinks && copies * keys.length <= maxCopies;
}

/** Calls `visit` with every leaf that can match; several times for an entry with several keys met. */
export function visitCandidates<Leaf>(
  index: CandidateIndex<Leaf>,
  values: SlotValues,
  visit: (leaf: Leaf) => void,
): void {
  for (const leaf of index.leaves) visit(leaf);
  index.bitmap?.visit(values, visit);
  for (const { slot, relation, branches } of index.lookups) {
    const value = values[slot];
    if (relation === 'equals') visitBranch(branches.get(value), values, visit);
    else if (Array.isArray(value)) for (const element of value) visitBranch(branches.get(element), values, visit);
  }
}

function visitBranch<Leaf>(
  branch: CandidateIndex<Leaf> | undefined,
  values: SlotValues,
  visit: (leaf: Leaf) => void,
): void {
  if (branch) visitCandidates(branch, values, visit);
}

function fewestKeys(choices: readonly KeyChoice[]): KeyChoice | undefined {
  return lowest(choices, ({ keys }) => keys.length);
}

/** Selects the choice with the rarest keys over all choices: a rare key leads to few rules. */
function rarestKeys(all: readonly KeyChoice[]): (choices: readonly KeyChoice[]) => KeyChoice | undefined {
  const uses = new KeyMap<{ count: number }>(() => ({ count: 0 }));
  for (const { keys } of all) for (const key of keys) uses.at(key).count++;
  return (choices) => lowest(choices, ({ keys }) => keys.reduce((sum, key) => sum + uses.at(key).count, 0));
}

function lowest<T>(items: readonly T[], cost: (item: T) => number): T | undefined {
  let [found, least]: [T | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const item of items) {
    const own = cost(item);
    if (own < least) [found, least] = [item, own];
  }
  return found;
}

/** A map from keys to values. */
class KeyMap<V> {
  private readonly parts: (Omit<CandidateKey, 'value'> & { readonly values: Map<unknown, V> })[] = [];

  constructor(private readonly empty: () => V) {}

  at({ slot, relation, value }: CandidateKey): V {
    let part = this.parts.find((one) => one.slot === slot && one.relation === relation);
    if (!part) {
      part = { slot, relation, values: new Map() };
      this.parts.push(part);
    }
    const held = part.values.get(value) ?? this.empty();
    part.values.set(value, held);
    return held;
  }

  lookups<Leaf>(branch: (held: V) => CandidateIndex<Leaf>): Lookup<Leaf>[] {
    return this.parts.map(({ slot, relation, values }) => {
      const branches = new Map([...values].map(([value, held]) => [value, branch(held)] as const));
      return { slot, relation, branches };
    });
  }
}
