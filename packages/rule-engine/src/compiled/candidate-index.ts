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
  /** Not looked up: their conditions have no keys, or few entries share their keys. */
  readonly leaves: readonly Leaf[];
  /** Leaves that have no keys, where they are many. */
  readonly bitmap: BitmapIndex<Leaf> | undefined;
  readonly lookups: readonly Lookup<Leaf>[];
}

interface Lookup<Leaf> extends Omit<CandidateKey, 'value'> {
  readonly branches: ReadonlyMap<unknown, CandidateIndex<Leaf>>;
}

/** Up to this many entries, evaluating all is as fast as a look-up. */
const maxLeaves = 4;
/** Up to this many entries without keys, evaluating all is as fast as the bitmaps. */
const maxLeavesWithoutBitmap = 32;
/** Every key of an entry copies it. Below the first node an entry is not split further into more copies than this. */
const maxCopies = 16;

/**
 * @param leaf makes of an entry what `visitCandidates` gives; its expression is what the keys on the way leave to check
 */
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
  /** How many copies of the entry there are by the keys on the way. */
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

/** Below the first node every choice must leave less to check, else the tree would never end. */
function isFitForSplit({ keys, shrinks }: KeyChoice, copies: number): boolean {
  return shrinks && copies * keys.length <= maxCopies;
}

/** Calls `visit` with every leaf that can hold: again for an entry of which several keys are met. */
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

/** Picks the choice whose keys occur least often in all choices: the rarer a key, the fewer rules it brings up. */
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

/** Something per key. */
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
