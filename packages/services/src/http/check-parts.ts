/** Validates path, query and body of a request against the schemas of a route, in the same order as Fastify. */
import { parse } from 'node:querystring';
import type { RequestCheck, Route } from './http-port.ts';
import { HttpProblem } from './http-problem.ts';

export const requestParts = ['params', 'body', 'querystring'] as const;
export type RequestPart = (typeof requestParts)[number];

/** Query parameters by name. A repeated name gives a list. */
export function parseQuery(text: string): Record<string, unknown> {
  return text === '' ? {} : { ...parse(text) };
}

/** The part of a URL after the first `?`. */
export function queryOf(url: string | undefined): string {
  const start = url?.indexOf('?') ?? -1;
  return start < 0 ? '' : (url as string).slice(start + 1);
}

/**
 * Fills in defaults.
 * @throws HttpProblem 400 with all problems of the first invalid part
 */
export function checkParts(route: Route, parts: Readonly<Record<RequestPart, unknown>>): void {
  for (const part of requestParts) {
    const check = route.checks?.[part];
    if (check) checkPart(check, parts[part]);
  }
}

/** @throws HttpProblem 400 */
export function checkPart({ problemsOf }: RequestCheck, value: unknown): void {
  const problems = problemsOf(value);
  if (problems.length > 0) throw new HttpProblem(400, 'invalid', 'invalid request', problems);
}
