/** Admits only requests with the expected token. Compares in constant time, before the body is read. */
import { timingSafeEqual } from 'node:crypto';
import type { Route } from './http-port.ts';
import { HttpProblem } from './http-problem.ts';

/** An empty token admits no request. */
export function tokenGuard(header: string, token: string): NonNullable<Route['refuse']> {
  const expected = Buffer.from(token, 'latin1');
  const received = Buffer.alloc(expected.length);
  const refusal = new HttpProblem(401, 'unauthorised', `missing or wrong ${header}`);
  return (headers) => {
    const value = headers[header];
    if (typeof value !== 'string' || value.length !== expected.length || value.length === 0) return refusal;
    received.write(value, 'latin1');
    return timingSafeEqual(received, expected) ? undefined : refusal;
  };
}
