/**
 * Validates conditions. File validation and both rule engines share this check. Each refuses the same condition for the
 * same reason and at the same place.
 */
import {
  type ConditionSize,
  conditionSize,
  maxConditionLevels,
  maxReferredComparisons,
  type NamedConditions,
  namedConditionSizes,
  referencesOf,
} from './condition-size.ts';
import type { ErrorCode } from './error-codes.ts';
import { parseOperator, ruleDecorators, ruleFacts, ruleOperators } from './rule-operators.ts';
import { parseRulePath } from './rule-path.ts';

/** A finding about one condition. */
export interface ConditionProblem {
  code: ErrorCode;
  /** Members and indexes from the condition to the invalid part: `['all', 1, 'operator']`. */
  place: (string | number)[];
  message: string;
  hint: string;
}

const kinds = ['all', 'any', 'not', 'condition', 'fact'] as const;

/**
 * Returns all problems of a condition, in reading order; empty when engines accept it.
 * @param named conditions that it may refer to; `checkNamedConditions` checks them
 */
export function checkCondition(condition: unknown, named: Readonly<Record<string, unknown>>): ConditionProblem[] {
  const problems: ConditionProblem[] = [];
  visit(condition, [], (code, place, message, hint) => problems.push({ code, place, message, hint }), named);
  return problems;
}

/**
 * Returns all problems of a set of named conditions, including circular references and conditions that resolve to too
 * many comparisons. Places start with the name.
 */
export function checkNamedConditions(named: NamedConditions): ConditionProblem[] {
  const sizes = namedConditionSizes(named);
  return Object.entries(named).flatMap(([name, condition]) => [
    ...checkCondition(condition, named).map((problem) => ({ ...problem, place: [name, ...problem.place] })),
    ...checkCircle(name, named, sizes),
    ...checkSize(name, named, sizes),
  ]);
}

/**
 * Returns the problem of the rule with which references stand for more comparisons than the limit. Its place is the
 * index of the rule.
 * @param whens conditions of the rules
 * @param together whether the limit is for all rules; else for each of them
 */
export function checkReferredSize(
  whens: readonly unknown[],
  named: NamedConditions,
  together: boolean,
): ConditionProblem[] {
  const sizes = namedConditionSizes(named);
  let sum = 0;
  for (const [index, when] of whens.entries()) {
    const { referred } = conditionSize(when, sizes);
    sum = together ? sum + referred : referred;
    if (sum <= maxReferredComparisons) continue;
    const [largest = ''] = [...referencesOf(when, named)].sort((a, b) => comparisons(b, sizes) - comparisons(a, sizes));
    const what = `the condition ${JSON.stringify(largest)} stands for ${count(comparisons(largest, sizes))} comparisons`;
    const message = `${what}; with it, ${together ? 'the rules refer' : 'the rule refers'} to ${count(sum)}`;
    return [{ code: 'TB_RULES_TOO_LARGE', place: [index], message, hint: sizeHint }];
  }
  return [];
}

const sizeHint = `at most ${count(maxReferredComparisons)} are possible: refer to it less often`;

function checkCircle(
  name: string,
  named: NamedConditions,
  sizes: ReadonlyMap<string, ConditionSize>,
): ConditionProblem[] {
  if (sizes.has(name) || !isInCircle(name, named)) return [];
  const message = `the condition "${name}" refers to itself`;
  return [{ code: 'TB_RULES_CYCLE', place: [name], message, hint: 'break the circle of references' }];
}

/** The conditions that refer to one that is too large have no problem of their own. */
function checkSize(
  name: string,
  named: NamedConditions,
  sizes: ReadonlyMap<string, ConditionSize>,
): ConditionProblem[] {
  const problem = (message: string, hint: string): ConditionProblem[] => [
    { code: 'TB_RULES_TOO_LARGE', place: [name], message: `the condition ${JSON.stringify(name)} ${message}`, hint },
  ];
  const size = sizes.get(name);
  const referred = [...referencesOf(named[name], named)].map((each) => sizes.get(each));
  const exceeds = (of: (size: ConditionSize) => number, max: number): boolean =>
    size !== undefined && of(size) > max && referred.every((each) => each === undefined || of(each) <= max);
  if (exceeds((of) => of.comparisons, maxReferredComparisons))
    return problem(`stands for ${count(comparisons(name, sizes))} comparisons`, sizeHint);
  if (exceeds(({ levels }) => levels, maxConditionLevels))
    return problem(`is nested more than ${maxConditionLevels} levels deep`, 'shorten the chain of references');
  return [];
}

function comparisons(name: string, sizes: ReadonlyMap<string, ConditionSize>): number {
  return sizes.get(name)?.comparisons ?? 0;
}

function count(value: number): string {
  return value.toLocaleString('en');
}

/** A place as readable text: `when.all[1].operator`. */
export function formatPlace(place: readonly (string | number)[]): string {
  return place.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

type Report = (code: ErrorCode, place: (string | number)[], message: string, hint: string) => void;
type Place = (string | number)[];

function visit(condition: unknown, place: Place, report: Report, named: Readonly<Record<string, unknown>>): void {
  const found = isRecord(condition) ? kinds.filter((kind) => Object.hasOwn(condition, kind)) : [];
  if (!isRecord(condition) || found.length !== 1) {
    const received = found.length > 1 ? `one with ${found.join(' and ')}` : JSON.stringify(condition);
    report(
      'TB_RULES_CONDITION',
      place,
      `${received} is not a condition`,
      `expected exactly one of ${kinds.join(', ')}`,
    );
    return;
  }
  const kind = found[0] as (typeof kinds)[number];
  const content = condition[kind];
  if (kind === 'fact') visitComparison(condition, place, report);
  else if (kind === 'not') visit(content, [...place, kind], report, named);
  else if (kind === 'condition') visitReference(content, [...place, kind], report, named);
  else if (!Array.isArray(content)) {
    report(
      'TB_RULES_CONDITION',
      [...place, kind],
      `"${kind}" holds ${JSON.stringify(content)}`,
      'expected a list of conditions',
    );
  } else content.forEach((member, i) => void visit(member, [...place, kind, i], report, named));
}

function visitReference(name: unknown, place: Place, report: Report, named: Readonly<Record<string, unknown>>): void {
  if (typeof name === 'string' && Object.hasOwn(named, name)) return;
  const known = Object.keys(named).join(', ') || 'none';
  report(
    'TB_RULES_UNKNOWN_CONDITION',
    place,
    `no condition is named ${JSON.stringify(name)}`,
    `named conditions: ${known}`,
  );
}

function visitComparison(comparison: Record<string, unknown>, place: Place, report: Report): void {
  visitOperand(comparison, place, report);
  const { operator, value } = comparison;
  const parsed = typeof operator === 'string' ? parseOperator(operator) : undefined;
  if (!parsed) {
    const hint = `operators: ${ruleOperators.join(', ')}; before them, each with ":", ${ruleDecorators.join(', ')}`;
    report(
      'TB_RULES_UNKNOWN_OPERATOR',
      [...place, 'operator'],
      `the operator ${JSON.stringify(operator)} is not known`,
      hint,
    );
  }
  if (!Object.hasOwn(comparison, 'value')) {
    const hint = 'give a literal, or another fact as { fact, path }';
    report('TB_RULES_VALUE', place, 'the comparison has no value', hint);
  } else if (isFactValue(value)) visitOperand(value, [...place, 'value'], report);
  else if (!isLiteral(value)) {
    const message = `the value ${JSON.stringify(value)} holds an object, which no fact can equal`;
    report('TB_RULES_VALUE', [...place, 'value'], message, 'give a scalar, a list, or another fact as { fact, path }');
  } else if (parsed && !fits([...parsed.decorators, parsed.base], value)) {
    const message = `the operator "${operator}" cannot work on the value ${JSON.stringify(value)}`;
    report('TB_RULES_VALUE', [...place, 'value'], message, '"in", "notIn", "someValue" and "everyValue" expect a list');
  }
  const number = inexactNumber(value);
  if (number !== undefined) {
    const message = `the number ${number} cannot be compared exactly: expected a finite number, and whole ones up to ±${Number.MAX_SAFE_INTEGER}`;
    report('TB_RULES_VALUE', [...place, 'value'], message, 'name a number in this range, or compare texts');
  }
}

function visitOperand(operand: Record<string, unknown>, place: Place, report: Report): void {
  const { fact, path } = operand;
  if (!(ruleFacts as readonly unknown[]).includes(fact)) {
    const hint = `facts: ${ruleFacts.join(', ')}; reach their members with a path such as $.origin`;
    report('TB_RULES_UNKNOWN_FACT', [...place, 'fact'], `the fact ${JSON.stringify(fact)} is not known`, hint);
  }
  if (path !== undefined && (typeof path !== 'string' || parseRulePath(path) === undefined)) {
    const message = `the path ${JSON.stringify(path)} has more than member and index steps`;
    report('TB_RULES_PATH', [...place, 'path'], message, "write paths as $.payload.email, $.categories[0] or $['a b']");
  }
}

/** Whether a value refers to another fact: any object with the member `fact`. */
export function isFactValue(value: unknown): value is { fact: string; path?: string } {
  return isRecord(value) && Object.hasOwn(value, 'fact');
}

/**
 * The first number in a value that the JSON of roles does not carry (`.inf` becomes null), or that stands for its
 * neighbours, too (2^53 + 1 is read as 2^53).
 */
export function inexactNumber(value: unknown): number | undefined {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) {
      const found = inexactNumber(member);
      if (found !== undefined) return found;
    }
  }
  if (typeof value !== 'number') return undefined;
  const isExact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  return isExact ? undefined : value;
}

/** Scalars, and lists of literals. */
function isLiteral(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isLiteral) : typeof value !== 'object' || value === null;
}

/** Whether an operator can accept a literal. After `swap` the operands change sides, and any literal is accepted. */
function fits([operator, ...rest]: string[], literal: unknown): boolean {
  switch (operator) {
    case 'someValue':
    case 'everyValue':
      return Array.isArray(literal) && literal.every((element) => fits(rest, element));
    case 'not':
    case 'someFact':
    case 'everyFact':
      return fits(rest, literal);
    case 'in':
    case 'notIn':
      return Array.isArray(literal) || typeof literal === 'string';
    default:
      return true;
  }
}

function isInCircle(name: string, named: NamedConditions): boolean {
  const seen = new Set<string>();
  const open = [name];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const reference of referencesOf(named[next], named)) {
      if (reference === name) return true;
      if (!seen.has(reference)) open.push(reference);
      seen.add(reference);
    }
  }
  return false;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
