/** The stores of a generated deployment: a database server per image, and the stores to fill before its start. */
import { engineOf, type StoreConfiguration, type StoreEngine } from '@topo-bench/core';
import type { Persistence } from '@topo-bench/core/schema/persistence';
import { liveName } from './dataset-name.ts';
import { imageOf, itemsOf } from './engines.ts';
import { accessFile, type ImageAccess } from './servers/engine-image.ts';
import type { Dataset } from './store.ts';

export interface DeployedServer {
  /** Its host name. The dot keeps it apart from host names of roles. */
  host: string;
  image: string;
  access: ImageAccess;
  /** Path of the file with the password in its container. */
  accessFile: string;
}

/** A store to fill. Plain data: a file of `prepare-entry.ts`. */
export interface StoreToFill {
  service: string;
  engine: StoreEngine;
  configuration: StoreConfiguration;
  dataset: Dataset;
  /** Connection string of the server. */
  url: string;
  /** Connection string of the store, for its service. */
  storeUrl: string;
  /** Max time until the server answers. */
  readyTimeoutMs: number;
}

export interface DeployedStores {
  servers: DeployedServer[];
  stores: StoreToFill[];
}

/** @param passwordOf password of a server by its host name */
export function deployedStores(
  services: readonly { name: string; persistence?: Persistence }[],
  passwordOf: (host: string) => string,
): DeployedStores {
  const servers = new Map<string, DeployedServer>();
  const stores: StoreToFill[] = [];
  for (const { name: service, persistence } of services) {
    if (!persistence) continue;
    const engine = engineOf(persistence);
    const { store: configuration, rows, seed, url = serverUrl(engine, persistence) } = persistence;
    stores.push({
      service,
      engine,
      configuration,
      dataset: { rows, seed },
      url,
      storeUrl: itemsOf(engine).storeUrl(url, liveName(service)),
      readyTimeoutMs: imageOf(engine).readyTimeoutMs,
    });
  }
  return { servers: [...servers.values()], stores };

  function serverUrl(engine: StoreEngine, { image: named }: Persistence): string {
    const { example, access, port, url } = imageOf(engine);
    const image = named ?? example;
    const host = servers.get(image)?.host ?? `db.${engine}${servers.size === 0 ? '' : `-${servers.size + 1}`}`;
    const password = passwordOf(host);
    servers.set(image, { host, image, access: access(password), accessFile });
    return url(host, port, password);
  }
}
