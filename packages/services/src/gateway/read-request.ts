/**
 * Parses the body of `POST /requests` without a schema library, which would double the code that a role loads at start.
 * Reports all problems at once.
 */
import { randomUUID } from 'node:crypto';
import { defaultPurpose, type GatewayRequest } from '@topo-bench/core';
import type { AcceptedRequest } from '@topo-bench/flow';
import { HttpProblem } from '../http/http-problem.ts';

const known: ReadonlySet<string> = new Set<keyof GatewayRequest>([
  'id',
  'class',
  'origin',
  'categories',
  'consents',
  'purpose',
  'payload',
  'fieldCategories',
]);
const texts = ['class', 'origin'] as const;
const lists = ['categories', 'consents'] as const;
const maxDepth = 32;
// Printable ASCII only: the id appears in log lines and in the path of a control route.
const idPattern = /^[!-~]{1,128}$/;

/** @throws HttpProblem 400 with every problem */
export function readRequest(body: unknown): AcceptedRequest {
  if (!isRecord(body)) throw invalid([`expected an object, received ${kindOf(body)}`]);
  const problems: string[] = [];
  const { id = randomUUID(), purpose = defaultPurpose, payload, fieldCategories = {} } = body;
  if (typeof id !== 'string' || !idPattern.test(id))
    problems.push('id: expected 1 to 128 printable ASCII characters without spaces');
  for (const key of texts) {
    if (typeof body[key] !== 'string') problems.push(`${key}: expected a string, received ${kindOf(body[key])}`);
  }
  if (typeof purpose !== 'string') problems.push(`purpose: expected a string, received ${kindOf(purpose)}`);
  for (const key of lists) {
    if (!isTextList(body[key])) problems.push(`${key}: expected a list of strings`);
  }
  if (!isRecord(payload)) problems.push(`payload: expected an object, received ${kindOf(payload)}`);
  else if (!shallowerThan(payload, maxDepth)) problems.push(`payload: nested deeper than ${maxDepth} levels`);
  if (!isRecord(fieldCategories) || !isTextList(Object.values(fieldCategories))) {
    problems.push('fieldCategories: expected an object of strings');
  }
  for (const key of Object.keys(body)) {
    if (!known.has(key)) problems.push(`${key}: unknown; known are ${[...known].join(', ')}`);
  }
  if (problems.length > 0) throw invalid(problems);
  const { class: requestClass, origin, categories, consents } = body as unknown as GatewayRequest;
  return {
    id: id as string,
    request: {
      class: requestClass,
      origin,
      categories,
      consents,
      purpose: purpose as string,
      payload: payload as Record<string, unknown>,
    },
    fieldCategories: fieldCategories as Record<string, string>,
  };
}

function invalid(problems: string[]): HttpProblem {
  return new HttpProblem(400, 'bad-request', 'invalid request', problems);
}

/** `JSON.parse` accepts any depth, but serialisation is recursive. */
function shallowerThan(value: object, levels: number): boolean {
  if (levels === 0) return false;
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null && !shallowerThan(member, levels - 1)) return false;
  }
  return true;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'string');
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value;
}
