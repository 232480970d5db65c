/**
 * A bitmap index over rules that a map cannot look up: orders, negations, substrings. Every rule has a bit. Each
 * distinct condition is evaluated at most once per decision. A false condition clears the bits of all rules that need
 * it. Remaining rules are evaluated in full: the index may keep too many rules, but never clears one that matches.
 */
import type { Compare, Expression } from '../expression.ts';
import { compileCondition } from './conditions.ts';
import type { FactOperand, Slots, SlotValues } from './slots.ts';

/** Clears bits of rules that cannot match. */
type Filter = (values: SlotValues, alive: Uint32Array) => void;
type Clear = (alive: Uint32Array) => void;

export class BitmapIndex<Leaf> {
  readonly #leaves: readonly Leaf[];
  readonly #filters: readonly Filter[];
  readonly #all: Uint32Array;
  readonly #alive: Uint32Array;

  /** @param expressions of the leaves, in the same order */
  constructor(leaves: readonly Leaf[], expressions: readonly Expression[], slots: Slots) {
    this.#leaves = leaves;
    this.#all = maskOf(
      leaves.map((_, rule) => rule),
      leaves.length,
    );
    this.#alive = new Uint32Array(this.#all.length);
    this.#filters = filtersOf(expressions, slots);
  }

  /** Calls `visit` with every leaf that no false condition excludes. */
  visit(values: SlotValues, visit: (leaf: Leaf) => void): void {
    const alive = this.#alive;
    alive.set(this.#all);
    for (const filter of this.#filters) filter(values, alive);
    for (let word = 0; word < alive.length; word++) {
      for (let bits = alive[word] as number; bits !== 0; bits &= bits - 1) {
        visit(this.#leaves[word * 32 + 31 - Math.clz32(bits & -bits)] as Leaf);
      }
    }
  }
}

/** Conditions of one kind on one slot, each with the rules that need it. */
interface Group<Value> {
  readonly slot: number;
  readonly rulesOf: Map<Value, number[]>;
}

function filtersOf(expressions: readonly Expression[], slots: Slots): Filter[] {
  const orders = new Map<string, Group<number> & { order: Order; test: Compare['test'] }>();
  const exclusions = new Map<number, Group<unknown>>();
  const tests = new Map<string, Map<string, { expression: Expression; rules: number[] }>>();
  for (const [rule, expression] of expressions.entries()) {
    for (const condition of conjuncts(expression)) {
      const order = orderOf(condition);
      const excluded = excludedValues(condition);
      if (order) {
        const slot = slots.of(order.operand);
        const group = entry(orders, `${slot} ${order.order.name}`, () => ({ ...order, slot, rulesOf: new Map() }));
        entry(group.rulesOf, order.threshold, () => [] as number[]).push(rule);
      } else if (excluded) {
        const slot = slots.of(excluded.operand);
        const group = entry(exclusions, slot, () => ({ slot, rulesOf: new Map() }));
        for (const value of excluded.values) entry(group.rulesOf, value, () => [] as number[]).push(rule);
      } else {
        const alike = entry(tests, testedMember(condition), () => new Map());
        entry(alike, structureOf(condition), () => ({ expression: condition, rules: [] as number[] })).rules.push(rule);
      }
    }
  }
  const count = expressions.length;
  return [
    ...[...orders.values()].map((group) => orderFilter(group, count)),
    ...[...exclusions.values()].map((group) => exclusionFilter(group, count)),
    ...[...tests.values()].map((conditions) => testFilter([...conditions.values()], slots, count)),
  ];
}

/** Conditions that must all be true. */
function conjuncts(expression: Expression): readonly Expression[] {
  return expression.kind === 'all' ? expression.members.flatMap(conjuncts) : [expression];
}

interface Order {
  readonly name: string;
  /** Whether values above the threshold meet the condition. */
  readonly upwards: boolean;
  holds(value: number, threshold: number): boolean;
}

const orderNames: Readonly<Record<string, Omit<Order, 'name'>>> = {
  greaterThan: { upwards: true, holds: (value, threshold) => value > threshold },
  greaterThanInclusive: { upwards: true, holds: (value, threshold) => value >= threshold },
  lessThan: { upwards: false, holds: (value, threshold) => value < threshold },
  lessThanInclusive: { upwards: false, holds: (value, threshold) => value <= threshold },
};

function orderOf(expression: Expression) {
  if (expression.kind !== 'compare' || !Object.hasOwn(orderNames, expression.operator)) return undefined;
  const { left, right, operator, test } = expression;
  if ('literal' in left || !('literal' in right)) return undefined;
  if (typeof right.literal !== 'number' || Number.isNaN(right.literal)) return undefined;
  const order: Order = { name: operator, ...(orderNames[operator] as Omit<Order, 'name'>) };
  return { order, operand: left, threshold: right.literal, test };
}

/** Number of thresholds between two masks; the bits between masks are cleared one by one. */
const stride = 32;

/**
 * A value refutes a prefix of the sorted thresholds. Binary search finds its end, and one mask clears most of it.
 * O(log thresholds + rules / 32).
 */
function orderFilter(
  { slot, order, test, rulesOf }: Group<number> & { order: Order; test: Compare['test'] },
  count: number,
): Filter {
  // Strictest first: a value that meets a threshold meets all later ones.
  const thresholds = [...rulesOf.keys()].sort((a, b) => (order.upwards ? b - a : a - b));
  const rules = thresholds.map((threshold) => rulesOf.get(threshold) as number[]);
  const clearOne = rules.map((each) => clearing(each, count));
  const masks = [new Uint32Array(words(count))];
  for (let from = 0; from + stride <= rules.length; from += stride) {
    const mask = maskOf(rules.slice(from, from + stride).flat(), count);
    masks.push(mask.map((bits, word) => bits | ((masks.at(-1) as Uint32Array)[word] as number)));
  }
  return (values, alive) => {
    const value = values[slot];
    if (typeof value !== 'number') {
      // Strings and objects follow JavaScript's conversions: evaluate the operator for each threshold.
      for (const [i, threshold] of thresholds.entries()) if (!test(value, threshold)) clearOne[i]?.(alive);
      return;
    }
    let refuted = 0;
    let end = thresholds.length;
    while (refuted < end) {
      const middle = (refuted + end) >> 1;
      if (order.holds(value, thresholds[middle] as number)) end = middle;
      else refuted = middle + 1;
    }
    const whole = Math.floor(refuted / stride);
    if (whole > 0) clearMask(masks[whole] as Uint32Array, alive);
    for (let i = whole * stride; i < refuted; i++) clearOne[i]?.(alive);
  };
}

/** Values of a fact that refute `notEqual`, `notIn` or a negated `equal` or `in`; undefined for other conditions. */
function excludedValues(expression: Expression): { operand: FactOperand; values: unknown[] } | undefined {
  const [comparison, negated] = expression.kind === 'not' ? [expression.member, true] : [expression, false];
  if (comparison.kind !== 'compare') return undefined;
  const { left, right, operator } = comparison;
  if ('literal' in left || !('literal' in right)) return undefined;
  if (operator === (negated ? 'equal' : 'notEqual')) return { operand: left, values: [right.literal].filter(canEqual) };
  if (operator !== (negated ? 'in' : 'notIn') || !Array.isArray(right.literal)) return undefined;
  return { operand: left, values: [...new Set(right.literal)].filter(canEqual) };
}

/** NaN equals no value, and a literal object is never identical to a fact. A Map would match NaN. */
function canEqual(value: unknown): boolean {
  return (typeof value !== 'object' || value === null) && !Number.isNaN(value);
}

function exclusionFilter({ slot, rulesOf }: Group<unknown>, count: number): Filter {
  const clearBy = new Map([...rulesOf].map(([value, rules]) => [value, clearing(rules, count)]));
  return (values, alive) => clearBy.get(values[slot])?.(alive);
}

/**
 * Evaluates each condition. Keeps rules with a true condition here, and rules without any condition here. A false
 * condition, the usual case, costs only its evaluation.
 */
function testFilter(
  conditions: readonly { expression: Expression; rules: number[] }[],
  slots: Slots,
  count: number,
): Filter {
  const compiled = conditions.map(({ expression, rules }) => ({ holds: compileCondition(expression, slots), rules }));
  const others = maskOf(
    conditions.flatMap(({ rules }) => rules),
    count,
  ).map((bits) => ~bits);
  const kept = new Uint32Array(others.length);
  return (values, alive) => {
    kept.set(others);
    for (const { holds, rules } of compiled) if (holds(values)) setBits(rules, kept);
    for (let word = 0; word < alive.length; word++) alive[word] = (alive[word] as number) & (kept[word] as number);
  };
}

/** Grouping key of a condition: operator and member of a comparison, else the structure of the whole condition. */
function testedMember(condition: Expression): string {
  if (condition.kind !== 'compare' || 'literal' in condition.left || !('literal' in condition.right))
    return structureOf(condition);
  return JSON.stringify([condition.operator, condition.left]);
}

/** Clears the bits of some rules: many by mask, few one by one. */
function clearing(rules: readonly number[], count: number): Clear {
  if (rules.length <= words(count)) {
    return (alive) => {
      for (const rule of rules) alive[rule >> 5] = (alive[rule >> 5] as number) & ~(1 << (rule & 31));
    };
  }
  const mask = maskOf(rules, count);
  return (alive) => clearMask(mask, alive);
}

function clearMask(mask: Uint32Array, alive: Uint32Array): void {
  for (let word = 0; word < alive.length; word++) alive[word] = (alive[word] as number) & ~(mask[word] as number);
}

function maskOf(rules: readonly number[], count: number): Uint32Array {
  const mask = new Uint32Array(words(count));
  setBits(rules, mask);
  return mask;
}

function setBits(rules: readonly number[], mask: Uint32Array): void {
  for (const rule of rules) mask[rule >> 5] = (mask[rule >> 5] as number) | (1 << (rule & 31));
}

const words = (count: number): number => Math.ceil(count / 32);

function entry<Key, Value>(map: Map<Key, Value>, key: Key, empty: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = empty();
  map.set(key, value);
  return value;
}

/** Equal for conditions with the same structure. Plain JSON would encode NaN and the infinities as null. */
function structureOf(expression: Expression): string {
  return JSON.stringify(expression, (_, value) =>
    typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value,
  );
}
