/**
 * Searches facts of a request that meet a condition, with the target given. Values come from the literals of the
 * condition: equal to them, next to them, lists with and without them. A result is checked by evaluation, so it is
 * never wrong; the search can miss facts that exist.
 */
import type { Facts } from '@topo-bench/core/facts';
import type { Comparison, Condition } from '@topo-bench/core/schema/rules';
import { isMet } from '../conditions.ts';
import type { Operand } from '../known-conditions.ts';
import { holds } from '../operators.ts';
import { pathSteps } from '../rule-path.ts';

type Named = Readonly<Record<string, Condition>>;
/** Values of operands by `keyOf`. */
type Values = ReadonlyMap<string, { operand: Operand; value: unknown }>;

/** Max sets of values to try. */
const maxTries = 20_000;

/** @returns facts that meet the condition at this target; undefined when the search finds none */
export function findFacts(condition: Condition, target: Facts['target'], named: Named): Facts | undefined {
  let tries = 0;
  for (const values of solutions(condition, true, new Map(), target, named)) {
    if (++tries > maxTries) return undefined;
    const facts = factsOf(values, target);
    if (facts && isMet(condition, facts, named)) return facts;
  }
  return undefined;
}

/** Values with which a condition could have the wanted result. */
function* solutions(
  condition: Condition,
  wanted: boolean,
  values: Values,
  target: Facts['target'],
  named: Named,
): Generator<Values> {
  if ('all' in condition || 'any' in condition) {
    const members = 'all' in condition ? condition.all : condition.any;
    // Empty lists are met.
    if (members.length === 0) {
      if (wanted) yield values;
    } else if ('all' in condition === wanted) yield* inSeries(members, wanted, values, target, named);
    else for (const member of members) yield* solutions(member, wanted, values, target, named);
  } else if ('not' in condition) yield* solutions(condition.not, !wanted, values, target, named);
  else if ('condition' in condition)
    yield* solutions(named[condition.condition] as Condition, wanted, values, target, named);
  else yield* comparisonSolutions(condition, wanted, values, target);
}

function* inSeries(
  [first, ...others]: readonly Condition[],
  wanted: boolean,
  values: Values,
  target: Facts['target'],
  named: Named,
): Generator<Values> {
  if (!first) yield values;
  else {
    for (const next of solutions(first, wanted, values, target, named))
      yield* inSeries(others, wanted, next, target, named);
  }
}

function* comparisonSolutions(
  comparison: Comparison,
  wanted: boolean,
  values: Values,
  target: Facts['target'],
): Generator<Values> {
  const right = factOf(comparison.value);
  const lefts = valuesOf(comparison, right ? undefined : comparison.value, values, target);
  const rights = right ? valuesOf(right, undefined, values, target) : [comparison.value];
  for (const a of lefts) {
    // The value of a fact on one side suggests values of the other.
    const others = right ? [...rights, ...valuesOf(right, a, values, target)] : rights;
    for (const b of others) {
      for (const value of right ? [a, ...valuesOf(comparison, b, values, target)] : [a]) {
        if (holds(comparison.operator, value, b) !== wanted) continue;
        const next = new Map(values).set(keyOf(comparison), { operand: comparison, value });
        if (right) next.set(keyOf(right), { operand: right, value: b });
        yield next;
      }
    }
  }
  // The facts around may do, e.g. for a comparison with the request as a whole.
  yield values;
}

/** Values that an operand may have: the one that it has already, first. */
function valuesOf(operand: Operand, near: unknown, values: Values, target: Facts['target']): unknown[] {
  if (operand.fact === 'target') return [memberAt(target, pathSteps(operand.path ?? '$'))];
  const known = values.get(keyOf(operand));
  const candidates = typed(operand, near);
  if (!known) return candidates;
  if (!Array.isArray(known.value)) return [known.value];
  // A list can contain the values of several conditions.
  const list = known.value;
  return [list, ...candidates.flatMap((value) => (Array.isArray(value) ? [[...new Set([...list, ...value])]] : []))];
}

const otherText = 'something-else';

/** Values around a literal, of the type that the fact has in requests. */
function typed({ fact, path = '$' }: Operand, near: unknown): unknown[] {
  const [first = '', ...rest] = pathSteps(path);
  const elements = Array.isArray(near) ? near.flat() : [near];
  const texts = [...elements.filter((one) => typeof one === 'string'), otherText];
  const isText = ['class', 'origin', 'purpose'].includes(first);
  if (fact === 'request' && isText) return rest.length === 0 ? texts : [undefined];
  if (fact === 'flow' || ['categories', 'consents'].includes(first)) {
    if (rest.length > 0) return [...texts, undefined];
    return [[], [texts[0]], texts.slice(0, -1), texts, [otherText]];
  }
  const numbers = elements.filter((one) => typeof one === 'number').flatMap((one) => [one, one + 1, one - 1]);
  const single = [...elements, ...texts, ...numbers, undefined, '', 0, true];
  return [...single, ...[...texts, ...numbers].map((one) => [one]), [], elements, [...elements, otherText]];
}

/** @returns undefined where the values contradict each other */
function factsOf(values: Values, target: Facts['target']): Facts | undefined {
  const request = { class: 'example', origin: 'eu', categories: [], consents: [], purpose: 'contract', payload: {} };
  const facts: Facts = { request, target, flow: { services: [], regions: [] } };
  // Whole members first, then parts of them.
  const inOrder = [...values.values()].filter(({ operand }) => operand.fact !== 'target');
  const steps = (operand: Operand): string[] => pathSteps(operand.path ?? '$');
  inOrder.sort((one, other) => steps(one.operand).length - steps(other.operand).length);
  for (const { operand, value } of inOrder) {
    const path = steps(operand);
    if (!hasValue(facts[operand.fact], path, value) && !setMember(facts[operand.fact], path, value)) return undefined;
  }
  return facts;
}

function hasValue(root: object, path: readonly string[], value: unknown): boolean {
  return JSON.stringify(memberAt(root, path)) === JSON.stringify(value);
}

function setMember(root: object, path: readonly string[], value: unknown): boolean {
  const last = path.at(-1);
  if (last === undefined) return false;
  let holder = root as Record<string, unknown>;
  for (const step of path.slice(0, -1)) {
    if (!Object.hasOwn(holder, step)) define(holder, step, {});
    const next = holder[step];
    if (typeof next !== 'object' || next === null) return false;
    holder = next as Record<string, unknown>;
  }
  if (value === undefined) return !Object.hasOwn(holder, last);
  if (Array.isArray(holder) && !/^\d{1,3}$/.test(last)) return false;
  define(holder, last, structuredClone(value));
  return true;
}

/** Defines an own member, also one named `__proto__`. */
function define(holder: object, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true });
}

function memberAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    return (value as Record<string, unknown>)[step];
  }, root);
}

function factOf(value: unknown): Operand | undefined {
  const isFact = typeof value === 'object' && value !== null && Object.hasOwn(value, 'fact');
  return isFact ? (value as Operand) : undefined;
}

function keyOf({ fact, path = '$' }: Operand): string {
  return `${fact} ${JSON.stringify(pathSteps(path))}`;
}
