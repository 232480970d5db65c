/** The database servers of a Compose project, and the secrets of its stores. */
import { databasePassword } from '@topo-bench/deployment';
import { type ComposeDatabase, databasePaths, type ManifestFile } from '@topo-bench/deployment/manifests';
import { deployedStores } from '@topo-bench/stores/deployed-stores';
import type { Graph } from '@topo-bench/topology';

/** Without secrets. */
export function databasesOf({ services }: Graph): ComposeDatabase[] {
  const { servers } = deployedStores(services, () => '');
  return servers.map(({ host, image, access: { env, command }, accessFile }) => {
    return { host, image, env, ...(command && { command }), accessFile };
  });
}

export interface StoreSecrets {
  /** Connection strings by service. */
  storeUrls: Record<string, string>;
  files: ManifestFile[];
}

export function storeSecrets({ services }: Graph, secret: string): StoreSecrets {
  const { servers, stores } = deployedStores(services, (host) => databasePassword(secret, host));
  const storeUrls = Object.fromEntries(stores.map(({ service, storeUrl }) => [service, storeUrl]));
  if (stores.length === 0) return { storeUrls, files: [] };
  const access = servers.map(({ host, access: { file } }) => ({ path: databasePaths.access(host), text: file }));
  return {
    storeUrls,
    files: [...access, { path: databasePaths.stores, text: `${JSON.stringify(stores, undefined, 2)}\n` }],
  };
}
