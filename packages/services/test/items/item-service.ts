/** A service that keeps data, in the test's own process, on a store of its own. */
import type { RoleConfig } from '@topo-bench/core/role-config';
import type { TopologyInput } from '@topo-bench/core/schema/topology';
import { prepareStore } from '@topo-bench/stores/prepare-store';
import { planDeployment } from '@topo-bench/topology';
import type { StoreCase } from '../../../stores/test/test-servers.ts';
import { roleConfigs } from '../../src/role-configs.ts';
import { type RunningRole, startRole } from '../../src/start-role.ts';
import { type RuleParts, testGraph } from '../deployment.ts';

export const dataset = { rows: 120, seed: 5 };

export interface ItemServiceOptions extends StoreCase {
  framework: 'fastify' | 'express' | 'node';
  /** Of the database server. */
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
  config: RoleConfig;
  storeUrl: string;
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>;
  close(): Promise<void>;
}

/** The configuration of the service's role, with its store prepared. */
export async function itemServiceConfig(options: ItemServiceOptions): Promise<RoleConfig> {
  const { configuration, engine, framework, serverUrl, topology = {}, rules, persistence = {} } = options;
  const name = 'orders';
  const { url } = await prepareStore({
    url: serverUrl,
    configuration,
    dataset,
    service: `${configuration}-${framework}-${engine}`,
  });
  const keeps = { store: configuration, engine, rows: dataset.rows, seed: dataset.seed, ...persistence };
  const graph = testGraph({ framework, ...topology, services: [{ name, work: '0us', persistence: keeps }] }, rules);
  const configs = roleConfigs({ graph, plan: planDeployment(graph), seed: 1, secret: 's', storeUrls: { [name]: url } });
  // As JSON, since that is how a configuration reaches a role.
  return JSON.parse(JSON.stringify(configs.find((config) => config.name === name))) as RoleConfig;
}

export async function startItemService(options: ItemServiceOptions): Promise<ItemService> {
  const config = await itemServiceConfig(options);
  const role: RunningRole = await startRole(config, () => {});
  return {
    url: role.url,
    config,
    storeUrl: config.persistence?.store.url ?? '',
    ask: (method, path, body, headers) => ask(role.url, method, path, body, headers),
    close: () => role.close(1000),
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
