/** The database servers of a run: one per kind, with data for the whole run, and a new process for every repetition. */
import type { StoreEngine } from '@topo-bench/core';
import type { ServerUrls } from '@topo-bench/stores/servers/connection-strings';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';

export class StoreServers {
  readonly #servers = new Map<string, StoreServer>();
  /** Keys of servers whose process has not served an earlier repetition. */
  readonly #fresh = new Set<string>();

  /** @param flags connection strings from flags */
  constructor(readonly flags: ServerUrls = {}) {}

  /**
   * Our own servers restart on their next use. Some servers get slower with the work they have done, and that must not
   * affect later cells.
   */
  nextRepetition(): void {
    this.#fresh.clear();
  }

  /**
   * The running server of that engine, with the templates of earlier repetitions. A user-supplied server is not
   * restarted.
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
  // A server that has died only needs a start.
  if (server.pid === undefined) await server.restart();
  else await server.renew(signal);
}
