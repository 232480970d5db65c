/** A whole deployment in the test's own process: every role a real server on a port of its own. */
import {
  type DeploymentDocuments,
  type GatewayRequest,
  type GatewayResponse,
  headers,
  type LastSeen,
  type RoleStats,
  type Span,
} from '@topo-bench/core';
import type { RulesInput } from '@topo-bench/core/schema/rules';
import type { TopologyInput } from '@topo-bench/core/schema/topology';
import { deploymentDocuments, planDeployment } from '@topo-bench/deployment';
import { type Graph, graphOf } from '@topo-bench/topology';
import { loopback } from '../../deployment/test/fixtures/loopback.ts';
import type { FullConfig } from '../src/full-config.ts';
import { type RunningRole, startRole } from '../src/start-role.ts';

export type TopologyParts = Omit<Partial<TopologyInput>, 'apiVersion' | 'kind' | 'name'> &
  Pick<TopologyInput, 'services'>;
export type RuleParts = Pick<RulesInput, 'rules'> & Partial<RulesInput>;

export function testGraph(topology: TopologyParts, rules?: RuleParts): Graph {
  return graphOf(
    { apiVersion: 'topo-bench/v1', kind: 'Topology', name: 't', ...topology },
    rules && { apiVersion: 'topo-bench/v1', kind: 'Rules', name: 'r', ...rules },
  );
}

/** Copies, as JSON carries the documents to a role. */
export function fullConfigs({ roles, graph }: DeploymentDocuments): FullConfig[] {
  return roles.map(({ config, secrets }) => JSON.parse(JSON.stringify({ ...config, secrets, graph })) as FullConfig);
}

export interface Answered {
  status: number;
  body: GatewayResponse;
  rttHeader: string | null;
}

export interface TestDeployment {
  graph: Graph;
  configs: FullConfig[];
  /** What roles complained about. */
  log: string[];
  urls: Record<string, string>;
  /** Of services that serve columns over Arrow Flight. */
  flightUrls: Record<string, string | undefined>;
  gatewayUrl: string;
  send(request?: Partial<GatewayRequest>): Promise<Answered>;
  stats(role: string): Promise<RoleStats>;
  spans(role: string): Promise<Span[]>;
  seen(role: string, id: string): Promise<LastSeen | undefined>;
  /** Stops one role. */
  stop(role: string): Promise<void>;
  close(): Promise<void>;
}

export interface DeployOptions {
  /** Edits a configuration before its role starts. */
  change?: (config: FullConfig) => Partial<FullConfig>;
  /** Addresses that peers are told instead of a role's own. */
  standIns?: Record<string, string>;
}

export async function deploy(
  graph: Graph,
  { change = () => ({}), standIns = {} }: DeployOptions = {},
): Promise<TestDeployment> {
  const plan = planDeployment(graph);
  const documents = deploymentDocuments({ graph, plan, seed: 1, secret: 'secret of a test', place: loopback });
  const configs = fullConfigs(documents).map((config) => ({
    ...config,
    ...change(config),
  }));
  const log: string[] = [];
  const roles = new Map<string, RunningRole>();
  await Promise.all(
    configs.map(async (config) => {
      roles.set(config.name, await startRole(config, (line) => log.push(line)));
    }),
  );
  const urls = { ...Object.fromEntries([...roles].map(([name, { url }]) => [name, url])), ...standIns };
  await Promise.all([...roles.values()].map((role) => role.connect(urls)));
  const gatewayUrl = urls.gateway as string;
  const control = async (role: string, path: string): Promise<Response> =>
    fetch(`${urls[role]}${path}`, { headers: { [headers.control]: configs[0]?.secrets.controlToken ?? '' } });
  const read = async <T>(role: string, path: string): Promise<T> => (await (await control(role, path)).json()) as T;
  return {
    graph,
    configs,
    log,
    urls,
    flightUrls: Object.fromEntries([...roles].map(([name, { flightUrl }]) => [name, flightUrl])),
    gatewayUrl,
    send: (request) => send(gatewayUrl, request),
    stats: (role) => read(role, '/control/stats'),
    spans: (role) => read(role, '/control/spans'),
    seen: async (role, id) => {
      const response = await control(role, `/control/seen/${encodeURIComponent(id)}`);
      return response.status === 200 ? ((await response.json()) as LastSeen) : undefined;
    },
    stop: async (role) => roles.get(role)?.close(0),
    close: async () => {
      await Promise.all([...roles.values()].map((role) => role.close(0)));
    },
  };
}

export const anyRequest: Omit<GatewayRequest, 'id'> = {
  class: 'order',
  origin: 'eu',
  categories: ['personal'],
  consents: [],
  purpose: 'contract',
  payload: { customer: 'Ada Lovelace', items: 'one engine' },
  fieldCategories: { customer: 'personal' },
};

export async function send(gatewayUrl: string, request: Partial<GatewayRequest> = {}): Promise<Answered> {
  const response = await fetch(`${gatewayUrl}/requests`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...anyRequest, ...request }),
  });
  return {
    status: response.status,
    body: (await response.json()) as GatewayResponse,
    rttHeader: response.headers.get(headers.rtt),
  };
}
