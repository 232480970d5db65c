/** A service that keeps data, in the test's own process, on a store of its own. */
import { headers as headerNames, type RoleStats } from '@topo-bench/core';
import type { TopologyInput } from '@topo-bench/core/schema/topology';
import { deploymentDocuments, planDeployment } from '@topo-bench/deployment';
import { prepareStore } from '@topo-bench/stores/prepare-store';
import { loopback } from '../../../deployment/test/fixtures/loopback.ts';
import type { StoreCase } from '../../../guests/stores/test/fixtures/test-servers.ts';
import type { FullConfig } from '../../src/full-config.ts';
import { type RunningRole, startRole } from '../../src/start-role.ts';
import { fullConfigs, type RuleParts, testGraph } from '../fixtures/deployment.ts';

export const dataset = { rows: 120, seed: 5 };

export interface ItemServiceOptions extends StoreCase {
  framework: 'fastify' | 'express' | 'node';
  /** Address of the database server. */
  serverUrl: string;
  topology?: Partial<TopologyInput>;
  rules?: RuleParts;
  persistence?: { pool?: number; wait?: string; timeout?: string; region?: string };
}

export interface Answered {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
}

export interface ItemService {
  url: string;
  config: FullConfig;
  storeUrl: string;
  /** Where its items are, and the header that clients need. */
  itemsUrl: string;
  clientHeaders: Record<string, string>;
  /** Calls its items with the token and the facts of a client; `headers` win over both. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>;
  stats(): Promise<RoleStats>;
  close(): Promise<void>;
}

const name = 'orders';

/** The configurations of the roles that serve items, the service first, with its store prepared. */
export async function itemServiceConfigs(options: ItemServiceOptions): Promise<FullConfig[]> {
  const { configuration, engine, framework, serverUrl, topology = {}, rules, persistence = {} } = options;
  const { url } = await prepareStore({
    url: serverUrl,
    configuration,
    dataset,
    service: `${configuration}-${framework}-${engine}`,
  });
  const keeps = { store: configuration, engine, rows: dataset.rows, seed: dataset.seed, ...persistence };
  const graph = testGraph({ framework, ...topology, services: [{ name, work: '0us', persistence: keeps }] }, rules);
  const deployed = {
    graph,
    plan: planDeployment(graph),
    seed: 1,
    secret: 's',
    place: loopback,
    storeUrls: { [name]: url },
  };
  const plain = fullConfigs(deploymentDocuments(deployed));
  return [...plain.filter((config) => config.name === name), ...plain.filter(({ items }) => items)];
}

/** Facts of a call that no rule of these tests is about. */
export const facts = { 'x-topo-class': 'item', 'x-topo-origin': 'nowhere', 'x-topo-purpose': 'contract' };

export async function startItemService(options: ItemServiceOptions): Promise<ItemService> {
  const configs = await itemServiceConfigs(options);
  const config = configs[0] as FullConfig;
  const roles: RunningRole[] = [];
  for (const one of configs) roles.push(await startRole(one, () => {}));
  const url = roles[0]!.url;
  const urls = Object.fromEntries(configs.map((one, i) => [one.name, roles[i]!.url]));
  for (const role of roles) await role.connect(urls);
  const point = roles[1];
  const itemsUrl = point ? `${point.url}/${name}` : url;
  const clientHeaders = { [headerNames.token]: config.secrets.clientToken };
  return {
    url,
    config,
    itemsUrl,
    clientHeaders,
    storeUrl: config.secrets.store?.url ?? '',
    ask: (method, path, body, headers) => ask(itemsUrl, method, path, body, { ...clientHeaders, ...facts, ...headers }),
    async stats() {
      const control = { [headerNames.control]: config.secrets.controlToken };
      return (await (await fetch(`${roles.at(-1)!.url}/control/stats`, { headers: control })).json()) as RoleStats;
    },
    async close() {
      await Promise.all(roles.map((role) => role.close(1000)));
    },
  };
}

/** @param body sent as JSON; a string is sent as it is */
export async function ask(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const content = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, { method, headers: { ...json, ...headers }, ...content });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : JSON.parse(text), headers: response.headers };
}
