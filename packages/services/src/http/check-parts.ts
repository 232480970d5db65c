/** Checks path, query and body of a request against a route's schemas, in the order in which Fastify does. */
import { parse } from 'node:querystring';
import type { RequestCheck, Route } from './http-port.ts';
import { HttpProblem } from './http-problem.ts';

export const requestParts = ['params', 'body', 'querystring'] as const;
export type RequestPart = (typeof requestParts)[number];

/** The parameters of a query by name; a list where a name comes twice. */
export function parseQuery(text: string): Record<string, unknown> {
  return text === '' ? {} : { ...parse(text) };
}

/** The text behind the first `?` of a URL. */
export function queryOf(url: string | undefined): string {
  const start = url?.indexOf('?') ?? -1;
  return start < 0 ? '' : (url as string).slice(start + 1);
}

/** @throws HttpProblem 400 with all problems of the first part that has any; fills in defaults */
export function checkParts(route: Route, parts: Readonly<Record<RequestPart, unknown>>): void {
  for (const part of requestParts) {
    const check = route.checks?.[part];
    if (check) checkPart(check, parts[part]);
  }
}

/** @throws HttpProblem 400 */
export function checkPart({ problemsOf }: RequestCheck, value: unknown): void {
  const problems = problemsOf(value);
  if (problems.length > 0) throw new HttpProblem(400, 'invalid', 'the request is not valid', problems);
}
