/** Admits only callers that present a token; compares in constant time, before any of the body is read. */
import { timingSafeEqual } from 'node:crypto';
import type { Route } from './http-port.ts';
import { HttpProblem } from './http-problem.ts';

/** An empty token admits nobody. */
export function tokenGuard(header: string, token: string): NonNullable<Route['refuse']> {
  const expected = Buffer.from(token, 'latin1');
  const received = Buffer.alloc(expected.length);
  const refusal = new HttpProblem(401, 'unauthorised', `this route needs the right ${header}`);
  return (headers) => {
    const value = headers[header];
    if (typeof value !== 'string' || value.length !== expected.length || value.length === 0) return refusal;
    received.write(value, 'latin1');
    return timingSafeEqual(received, expected) ? undefined : refusal;
  };
}
