/** A service that keeps items in PostgreSQL and answers queries over Flight SQL, in the test's own process. */
import type { TopologyInput } from '@topo-bench/core/schema/topology';
import { deploymentDocuments, planDeployment } from '@topo-bench/deployment';
import { prepareStore } from '@topo-bench/stores/prepare-store';
import { loopback } from '../../../deployment/test/fixtures/loopback.ts';
import { sharedServers } from '../../../guests/stores/test/fixtures/test-servers.ts';
import { startRole } from '../../src/start-role.ts';
import { fullConfigs, type RuleParts, testGraph } from '../fixtures/deployment.ts';

export const dataset = { rows: 200, seed: 9 };

type Service = Extract<TopologyInput['services'][number], { name: string }>;
type Flight = NonNullable<NonNullable<Service['arrow']>['flight']>;

export interface SqlServiceOptions {
  flight?: Flight;
  store?: 'sql-indexed' | 'hybrid-indexed';
  rules?: RuleParts;
  /** Decides over what rules hold. */
  tags?: string[];
  /** The region of the store; that of the service is `eu`. */
  region?: string;
}

export interface SqlService {
  flightUrl: string;
  /** Address of the database with the items, for its owner. */
  storeUrl: string;
  stats(): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

export interface SqlServices {
  /** Why there is no server; undefined when there is one. */
  missing: string | undefined;
  start(options?: SqlServiceOptions): Promise<SqlService>;
}

export async function sqlServices(): Promise<SqlServices> {
  const servers = await sharedServers(['postgresql']);
  let started = 0;
  return {
    missing: servers.missing('postgresql'),
    start: (options = {}) => startService(servers.get('postgresql').url, `sql-${++started}`, options),
  };
}

async function startService(serverUrl: string, service: string, options: SqlServiceOptions): Promise<SqlService> {
  const { flight = { sql: {} }, store = 'sql-indexed', rules, tags = [], region = 'eu' } = options;
  const { url: storeUrl } = await prepareStore({ url: serverUrl, configuration: store, dataset, service });
  const name = 'orders';
  const orders = { name, tags, persistence: { store, region, ...dataset }, arrow: { rows: 100, flight, open: true } };
  const nodes = [{ name: 'a', region: 'eu' }];
  const architecture = rules ? 'sidecar' : 'none';
  const graph = testGraph({ nodes, services: [orders], enforcement: { architecture } }, rules);
  const deployed = {
    graph,
    plan: planDeployment(graph),
    seed: 1,
    secret: 's',
    place: loopback,
    storeUrls: { [name]: storeUrl },
  };
  const config = fullConfigs(deploymentDocuments(deployed)).find((one) => one.name === name)!;
  const role = await startRole(config, () => {});
  const headers = { 'x-topo-control': config.secrets.controlToken };
  return {
    flightUrl: role.flightUrl as string,
    storeUrl,
    stats: async () =>
      (await fetch(`${role.url}/control/stats`, { headers })).json() as Promise<Record<string, unknown>>,
    close: () => role.close(1000),
  };
}
