/** The table of item routes below a path: checks, token, and a handler per verb. */
import { headers } from '@topo-bench/core';
import type { RoleCounters } from '../control/role-counters.ts';
import type { Call, Route } from '../http/http-port.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { tokenGuard } from '../http/token-guard.ts';
import { itemChecks } from './item-checks.ts';

type Handler = (call: Call) => Promise<void>;

export type ItemHandlers = Record<'create' | 'query' | 'stats' | 'get' | 'put' | 'delete', Handler>;

/**
 * @param path of the item list
 * @param cursors format of `after` in a query: the store's own position, or one sealed by an enforcement point
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
      // Errors of clients and stores count as served; internal errors of the role do not.
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
    // Must come before `/:id`, which would match too.
    { method: 'GET', path: `${path}/stats`, refuse, checks: { querystring: checks.nothing }, handle: counted('stats') },
    { method: 'GET', path: `${path}/:id`, refuse, checks: { params }, handle: counted('get') },
    {
      method: 'PUT',
      path: `${path}/:id`,
      refuse,
      checks: { params, body: checks.replacement },
      handle: counted('put'),
    },
    { method: 'DELETE', path: `${path}/:id`, refuse, checks: { params }, handle: counted('delete') },
  ];
}
