/**
 * Validates conditions. File validation and both rule engines share this check. Each refuses the same condition for the
 * same reason and at the same place.
 */
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

/** Returns all problems of a set of named conditions, including circular references. Places start with the name. */
export function checkNamedConditions(named: Readonly<Record<string, unknown>>): ConditionProblem[] {
  const problems: ConditionProblem[] = [];
  for (const [name, condition] of Object.entries(named)) {
    for (const problem of checkCondition(condition, named))
      problems.push({ ...problem, place: [name, ...problem.place] });
    if (reaches(condition, name, named, new Set())) {
      problems.push({
        code: 'TB_RULES_CYCLE',
        place: [name],
        message: `the condition "${name}" refers to itself`,
        hint: 'break the circle of references',
      });
    }
  }
  return problems;
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

function reaches(
  condition: unknown,
  goal: string,
  named: Readonly<Record<string, unknown>>,
  seen: Set<string>,
): boolean {
  if (!isRecord(condition)) return false;
  const { condition: name } = condition;
  if (typeof name === 'string') {
    if (name === goal) return true;
    if (seen.has(name) || !Object.hasOwn(named, name)) return false;
    return reaches(named[name], goal, named, seen.add(name));
  }
  const members = [condition.all, condition.any, condition.not].flat();
  return members.some((member) => reaches(member, goal, named, seen));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
