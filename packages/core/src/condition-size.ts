/**
 * The size of conditions after their references are resolved, computed without resolving them. A named condition that
 * refers twice to the next one doubles with every name: 2 kB of rules would be millions of comparisons.
 */

/** Max comparisons that the references of one rule file, or one named condition, may stand for. */
export const maxReferredComparisons = 100_000;

/** Max levels of a resolved condition. Engines and checks are recursive. */
export const maxConditionLevels = 200;

export interface ConditionSize {
  /** Comparisons in the resolved condition. */
  comparisons: number;
  /** Those of them behind a reference. */
  referred: number;
  levels: number;
}

/** Conditions by name, in any form that a file may have. */
export type NamedConditions = Readonly<Record<string, unknown>>;

/**
 * Returns the size of each named condition. Names that are part of a circle of references, or lead to one, are absent.
 * O(characters of the conditions).
 */
export function namedConditionSizes(named: NamedConditions): Map<string, ConditionSize> {
  const sizes = new Map<string, ConditionSize>();
  const references = new Map(Object.keys(named).map((name) => [name, referencesOf(named[name], named)]));
  const referrers = new Map<string, string[]>();
  for (const [name, to] of references) {
    for (const each of to) {
      const known = referrers.get(each);
      if (known) known.push(name);
      else referrers.set(each, [name]);
    }
  }
  // Topological order, without recursion: a chain of names may be longer than the stack.
  const open = new Map([...references].map(([name, to]) => [name, to.size]));
  const ready = [...references.keys()].filter((name) => open.get(name) === 0);
  for (let name = ready.pop(); name !== undefined; name = ready.pop()) {
    sizes.set(name, conditionSize(named[name], sizes));
    for (const referrer of referrers.get(name) ?? []) {
      const left = (open.get(referrer) as number) - 1;
      open.set(referrer, left);
      if (left === 0) ready.push(referrer);
    }
  }
  return sizes;
}

/** The size of a condition that refers to conditions of these sizes. Unknown references and faulty parts count 0. */
export function conditionSize(condition: unknown, sizes: ReadonlyMap<string, ConditionSize>): ConditionSize {
  const own = { comparisons: 0, referred: 0, levels: 1 };
  if (!isRecord(condition)) return own;
  if (typeof condition.condition === 'string') {
    const { comparisons, levels } = sizes.get(condition.condition) ?? own;
    return { comparisons, referred: comparisons, levels };
  }
  const members = membersOf(condition);
  if (members.length === 0) return { ...own, comparisons: Object.hasOwn(condition, 'fact') ? 1 : 0 };
  const parts = members.map((member) => conditionSize(member, sizes));
  return {
    comparisons: parts.reduce((sum, part) => sum + part.comparisons, 0),
    referred: parts.reduce((sum, part) => sum + part.referred, 0),
    levels: parts.reduce((deepest, part) => Math.max(deepest, part.levels), 0) + 1,
  };
}

/** Names of existing conditions that a condition refers to directly. */
export function referencesOf(condition: unknown, named: NamedConditions, found = new Set<string>()): Set<string> {
  if (!isRecord(condition)) return found;
  const { condition: name } = condition;
  if (typeof name === 'string' && Object.hasOwn(named, name)) found.add(name);
  else for (const member of membersOf(condition)) referencesOf(member, named, found);
  return found;
}

function membersOf(condition: Readonly<Record<string, unknown>>): unknown[] {
  return [condition.all, condition.any, condition.not].filter((member) => member !== undefined).flat();
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
