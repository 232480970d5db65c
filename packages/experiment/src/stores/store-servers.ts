/**
 * The database servers of a run: one of each kind, on data that stays until the run ends, as a new process for every
 * repetition.
 */
import type { StoreEngine } from '@topo-bench/core';
import type { ServerUrls } from '@topo-bench/stores/servers/connection-strings';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';

export class StoreServers {
  readonly #servers = new Map<string, StoreServer>();
  /** Keys of the servers whose process has served nothing before this repetition. */
  readonly #fresh = new Set<string>();

  /** @param flags connection strings from flags */
  constructor(readonly flags: ServerUrls = {}) {}

  /**
   * From here on a server of ours is started again when it is next asked for: some servers get slower with everything
   * they have served, and that must not fall on whichever cell comes late.
   */
  nextRepetition(): void {
    this.#fresh.clear();
  }

  /**
   * The running server of that engine, with the templates of earlier repetitions. A server that the user named is left
   * as it is.
   * @param url connection string from the file
   * @throws TopoBenchError what `startServer` throws
   */
  async get(engine: StoreEngine, url: string | undefined, signal: AbortSignal): Promise<StoreServer> {
    const key = `${engine} ${url ?? ''}`;
    const present = this.#servers.get(key);
    if (present && this.#fresh.has(key)) return present;
    if (present) await renewed(present, signal);
    const server = present ?? (await this.#start(engine, url, signal));
    this.#servers.set(key, server);
    this.#fresh.add(key);
    return server;
  }

  /** Loads the code that starts servers only in runs with stores. */
  async #start(engine: StoreEngine, url: string | undefined, signal: AbortSignal): Promise<StoreServer> {
    const { startServer } = await import('@topo-bench/stores/servers/start-server');
    return startServer({ engine, url, flags: this.flags, signal });
  }

  async close(): Promise<void> {
    const servers = [...this.#servers.values()];
    this.#servers.clear();
    this.#fresh.clear();
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function renewed(server: StoreServer, signal: AbortSignal): Promise<void> {
  if (server.origin === 'connection-string') return;
  // One that has died meanwhile only has to be started.
  if (server.pid === undefined) await server.restart();
  else await server.renew(signal);
}
