/**
 * The item routes of an enforcement point and of the service behind it, called without a network: any store and many
 * rule sets in little time.
 */
import { headers as headerNames } from '@topo-bench/core';
import { deploymentDocuments, planDeployment } from '@topo-bench/deployment';
import type { Store } from '@topo-bench/stores';
import type { Graph } from '@topo-bench/topology';
import { loopback } from '../../../deployment/test/fixtures/loopback.ts';
import { FaultState } from '../../src/control/message-faults.ts';
import { RoleCounters } from '../../src/control/role-counters.ts';
import type { FullConfig } from '../../src/full-config.ts';
import { DeadlineQueue } from '../../src/hops/deadline-queue.ts';
import type { HopAnswer } from '../../src/hops/hop-call.ts';
import { HopClient } from '../../src/hops/hop-client.ts';
import { LinkDelays } from '../../src/hops/link-delay.ts';
import { checkParts, parseQuery } from '../../src/http/check-parts.ts';
import type { Call, Route } from '../../src/http/http-port.ts';
import { HttpProblem } from '../../src/http/http-problem.ts';
import { guardedItemRoutes } from '../../src/items/guarded-item-routes.ts';
import { routesOfStore } from '../../src/items/item-routes.ts';
import { fullConfigs } from '../fixtures/deployment.ts';

export interface RoutedAnswer {
  status: number;
  text: string;
  headers: Readonly<Record<string, string>>;
}

export type Ask = (
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<RoutedAnswer>;

const callerToken = 'of the enforcement point';
const name = 'orders';

/** The routes of the service that owns a store; calls are recorded. */
export function serviceOf(store: Store): { ask: Ask; calls: string[] } {
  const routes = routesOfStore(store, callerToken, 'digests', new RoleCounters());
  const calls: string[] = [];
  return {
    calls,
    ask: (method, path, body) => {
      calls.push(`${method} ${path}`);
      return dispatch(routes, method, path, body, { [headerNames.token]: callerToken });
    },
  };
}

/** The enforcement point of a graph with one service, in front of that service. */
export async function guardedBy(
  graph: Graph,
  service: Ask,
): Promise<{ ask: Ask; counters: RoleCounters; config: FullConfig }> {
  const deployed = { graph, plan: planDeployment(graph), seed: 1, secret: 's', place: loopback };
  const configs = fullConfigs(deploymentDocuments({ ...deployed, storeUrls: { [name]: 'memory' } }));
  const config = configs.find(({ items }) => items) as FullConfig;
  class Direct extends HopClient {
    override async send(_hop: string, method: string, path: string, body: string | undefined): Promise<HopAnswer> {
      const { status, text, headers } = await service(method, path, body === undefined ? undefined : JSON.parse(body));
      const delivered = headers['x-topo-delivered'];
      return { status, text, ...(delivered !== undefined && { delivered }) };
    }
  }
  const counters = new RoleCounters();
  const waits = new DeadlineQueue({ nowUs: () => performance.now() * 1000 });
  const links = new LinkDelays([], config.node, 1, waits);
  const problems: string[] = [];
  const options = {
    config,
    client: new Direct(config, new FaultState()),
    links,
    counters,
    warn: (line: string) => problems.push(line),
  };
  const routes = await guardedItemRoutes(options, config.items ?? []);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const token = { [headerNames.token]: config.secrets.clientToken };
  return {
    counters,
    config,
    ask: (method, path, body, headers) => dispatch(routes, method, `/${name}${path}`, body, { ...token, ...headers }),
  };
}

/** As a framework does it: route, token, checks, handler, and the answer to a problem. */
async function dispatch(
  routes: readonly Route[],
  method: string,
  target: string,
  body: object | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<RoutedAnswer> {
  const [path = '', query = ''] = target.split('?');
  const own = routes.filter((route) => route.method === method);
  const above = path.slice(0, path.lastIndexOf('/'));
  const route = own.find((one) => one.path === path) ?? own.find((one) => one.path === `${above}/:id`);
  if (!route) throw new Error(`no route for ${method} ${path}`);
  const parameter = route.path === path ? '' : path.slice(above.length + 1);
  const call: { answer?: RoutedAnswer } = {};
  const answer: Call['answer'] = (status, text, more = {}) => {
    call.answer ??= { status, text, headers: more };
  };
  try {
    const refusal = route.refuse?.(headers);
    if (refusal) throw refusal;
    const parts = { params: { id: parameter }, body: structuredClone(body), querystring: parseQuery(query) };
    checkParts(route, parts);
    const given = { body: parts.body, query: parts.querystring, headers, parsedAtUs: 0, parameter, answer };
    await route.handle(given as unknown as Call);
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    answer(error.status, error.json);
  }
  if (!call.answer) throw new Error(`no answer to ${method} ${path}`);
  return call.answer;
}
