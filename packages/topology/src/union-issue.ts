/**
 * Selects the intended form of a union. If a value fits no form, the closest one supplies the findings. Criteria in
 * order: the type, the discriminating key (`law`), then present and missing keys.
 */
import type { z } from 'zod';
import { typeNoun } from './describe-value.ts';
import type { Path } from './source-document.ts';
import { valueAt } from './value-at.ts';

type Issue = z.core.$ZodIssue;
type UnionIssue = Extract<Issue, { code: 'invalid_union' }>;

export type ResolvedUnion =
  /** The value has the type of no form: the expected forms in words, with their literals. */
  | { kind: 'mismatch'; expected: string[]; values: unknown[] }
  /** The form is unknown: one of these keys would determine it. */
  | { kind: 'missing'; keys: string[] }
  /** The issues of the intended form, with paths from the root of the document. */
  | { kind: 'issues'; issues: Issue[] };

// Weights of faults. The gaps are wide: no number of lesser faults outweighs a graver one.
const wrongType = 1e6;
const wrongLiteral = 1e5;
const wrongForm = 1e3;
const keyFault = 10;

/** @param document root of the value that the schema was applied to */
export function resolveUnion(union: UnionIssue, document: unknown): ResolvedUnion {
  const value = valueAt(document, union.path as Path);
  const branches = union.errors.map((issues) => ({ issues, cost: sum(issues.map((issue) => cost(issue, value))) }));
  const least = Math.min(...branches.map((branch) => branch.cost));
  const nearest = branches.filter((branch) => branch.cost === least);

  if (least >= wrongLiteral) return mismatch(union.errors);
  const missing = nearest.map((branch) => onlyMissingKey(branch.issues, value));
  if (missing.every((key) => key !== undefined)) return { kind: 'missing', keys: missing };
  const issues = withFormsJoined(nearest.map((branch) => branch.issues));
  return { kind: 'issues', issues: issues.map((issue) => ({ ...issue, path: [...union.path, ...issue.path] })) };
}

function cost(issue: Issue, value: unknown): number {
  if (issue.code === 'unrecognized_keys') return keyFault * issue.keys.length;
  if (issue.path.length === 0) {
    if (issue.code === 'invalid_type') return wrongType;
    if (issue.code === 'invalid_value') return typeof issue.values[0] === typeof value ? wrongLiteral : wrongType;
    if (issue.code === 'invalid_union')
      return Math.min(...issue.errors.map((inner) => sum(inner.map((i) => cost(i, value)))));
    return 1;
  }
  if (issue.path.length > 1) return 1;
  if (isSingleLiteral(issue)) return wrongForm;
  return valueAt(value, issue.path as Path) === undefined ? keyFault : 1;
}

function isSingleLiteral(issue: Issue): issue is Extract<Issue, { code: 'invalid_value' }> {
  return issue.code === 'invalid_value' && issue.values.length === 1;
}

function mismatch(branches: readonly (readonly Issue[])[]): ResolvedUnion {
  const roots = flatten(branches.flat());
  const values = roots.flatMap((issue) => (issue.code === 'invalid_value' ? issue.values : []));
  const types = roots.flatMap((issue) => (issue.code === 'invalid_type' ? [typeNoun(issue.expected)] : []));
  return { kind: 'mismatch', expected: [...values.map((literal) => JSON.stringify(literal)), ...types], values };
}

/** Issues about the value itself, including those of nested unions. */
function flatten(issues: readonly Issue[]): Issue[] {
  return issues
    .filter((issue) => issue.path.length === 0)
    .flatMap((issue) => (issue.code === 'invalid_union' ? flatten(issue.errors.flat()) : [issue]));
}

function onlyMissingKey(issues: readonly Issue[], value: unknown): string | undefined {
  const [issue] = issues;
  if (issues.length !== 1 || !issue || issue.path.length !== 1) return undefined;
  return valueAt(value, issue.path as Path) === undefined ? String(issue.path[0]) : undefined;
}

/** Issues of the first form. The issue of the discriminating literal lists the literals of all forms. */
function withFormsJoined(branches: readonly (readonly Issue[])[]): Issue[] {
  return branches[0]!.map((issue) => {
    if (!isSingleLiteral(issue)) return issue;
    const others = branches.flat().filter((other) => isSingleLiteral(other) && other.path[0] === issue.path[0]);
    return { ...issue, values: others.flatMap((other) => (other as typeof issue).values) };
  });
}

function sum(costs: readonly number[]): number {
  return costs.reduce((total, one) => total + one, 0);
}
