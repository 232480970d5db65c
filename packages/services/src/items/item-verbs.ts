/** The table of item routes below a path: checks, the token that they ask for, and a handler per verb. */
import { headers } from '@topo-bench/core/control';
import type { RoleCounters } from '../control/role-counters.ts';
import type { Call, Route } from '../http/http-port.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { tokenGuard } from '../http/token-guard.ts';
import { itemChecks } from './item-checks.ts';

type Handler = (call: Call) => Promise<void>;

export type ItemHandlers = Record<'create' | 'query' | 'stats' | 'get' | 'put' | 'delete', Handler>;

/**
 * @param path of the list of items
 * @param cursors what `after` of a query is: the position of the store, or that sealed by an enforcement point
 */
export function itemVerbs(
  path: string,
  token: string,
  handlers: ItemHandlers,
  counters: RoleCounters,
  cursors: 'cursor' | 'sealed-cursor' = 'cursor',
): Route[] {
  const checks = itemChecks(cursors);
  const params = checks.id;
  const counted = (verb: keyof ItemHandlers) => async (call: Call) => {
    counters.inFlight++;
    try {
      await handlers[verb](call);
      counters.served++;
    } catch (error) {
      // What is expected of a client or a store is served; a fault of the role is not.
      if (error instanceof HttpProblem) counters.served++;
      throw error;
    } finally {
      counters.inFlight--;
    }
  };
  const refuse = tokenGuard(headers.token, token);
  return [
    { method: 'POST', path, refuse, checks: { body: checks.newItem }, handle: counted('create') },
    { method: 'GET', path, refuse, checks: { querystring: checks.query }, handle: counted('query') },
    // Before `/:id`, which it would be taken for.
    { method: 'GET', path: `${path}/stats`, refuse, checks: { querystring: checks.nothing }, handle: counted('stats') },
    { method: 'GET', path: `${path}/:id`, refuse, checks: { params }, handle: counted('get') },
    { method: 'PUT', path: `${path}/:id`, refuse, checks: { params, body: checks.replacement }, handle: counted('put') },
    { method: 'DELETE', path: `${path}/:id`, refuse, checks: { params }, handle: counted('delete') },
  ];
}
