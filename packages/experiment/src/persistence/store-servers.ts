/** The database servers of a run: each is started when a cell first needs it and serves until the run ends. */
import type { StoreEngine } from '@topo-bench/core';
import type { ServerUrls } from '@topo-bench/stores/servers/connection-strings';
import { startServer } from '@topo-bench/stores/servers/start-server';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';

export class StoreServers {
  readonly #servers = new Map<string, StoreServer>();

  /** @param flags connection strings from flags */
  constructor(readonly flags: ServerUrls = {}) {}

  /**
   * The running server of that engine; one that has died meanwhile is started again on its data.
   * @param url connection string from the file
   */
  async get(engine: StoreEngine, url: string | undefined, signal: AbortSignal): Promise<StoreServer> {
    const key = `${engine} ${url ?? ''}`;
    const present = this.#servers.get(key);
    if (present) {
      if (present.origin !== 'connection-string' && present.pid === undefined) await present.restart();
      return present;
    }
    const server = await startServer({ engine, url, flags: this.flags, signal });
    this.#servers.set(key, server);
    return server;
  }

  async close(): Promise<void> {
    const servers = [...this.#servers.values()];
    this.#servers.clear();
    await Promise.all(servers.map((server) => server.stop()));
  }
}
