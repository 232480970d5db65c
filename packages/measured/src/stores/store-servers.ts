/** The database servers of a run: one per kind, with data for the whole run, and a new process for every repetition. */
import { engineOf, type ServerReach } from '@topo-bench/core';
import type { Persistence } from '@topo-bench/core/schema/persistence';
import type { Runner } from '@topo-bench/runners';
import type { ServerUrls } from '@topo-bench/stores/servers/connection-strings';
import type { ServerSource } from '@topo-bench/stores/servers/start-server';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';

/** The fields of a store that select its server. */
export type ServerFields = Pick<Persistence, 'store' | 'engine' | 'url' | 'image'>;

/** Starts the roles that use a server. */
export type ReachingRunner = Pick<Runner, 'serverReach'>;

export interface StoreServersOptions {
  /** Connection strings from flags. */
  flags?: ServerUrls | undefined;
  /** Folder that keeps the logs of servers that failed. */
  logsDir?: string | undefined;
}

export class StoreServers {
  readonly #servers = new Map<string, StoreServer>();
  /** Keys of servers whose process has not served an earlier repetition. */
  readonly #fresh = new Set<string>();

  readonly #options: StoreServersOptions;

  constructor(options: StoreServersOptions = {}) {
    this.#options = options;
  }

  /**
   * Our own servers restart on their next use. Some servers get slower with the work they have done, and that must not
   * affect later cells.
   */
  nextRepetition(): void {
    this.#fresh.clear();
  }

  /**
   * The running server of that store, with the templates of earlier repetitions. A user-supplied server is not
   * restarted.
   * @throws TopoBenchError what `startServer` throws
   */
  async get(store: ServerFields, runner: ReachingRunner, signal: AbortSignal): Promise<StoreServer> {
    const source = await serverSource(store, runner);
    const key = JSON.stringify(source);
    const present = this.#servers.get(key);
    if (present && this.#fresh.has(key)) return present;
    if (present) await renewed(present, signal);
    const server = present ?? (await this.#start(source, signal));
    this.#servers.set(key, server);
    this.#fresh.add(key);
    return server;
  }

  /** Loads the code that starts servers only in runs with stores. */
  async #start(source: SourceForRoles, signal: AbortSignal): Promise<StoreServer> {
    const { startServer } = await import('@topo-bench/stores/servers/start-server');
    return startServer({ ...source, ...this.#options, signal });
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
  // A server that has died only needs a start. The process of a container may be unknown here.
  if (server.pid === undefined && !server.container) await server.restart();
  else await server.renew(signal);
}

/** What decides on the server of a store; equal for stores on one server. */
export type SourceForRoles = ServerSource & { reach?: ServerReach };

export async function serverSource(store: ServerFields, runner: ReachingRunner): Promise<SourceForRoles> {
  const reach = await runner.serverReach?.();
  return { engine: engineOf(store), url: store.url, image: store.image, ...(reach && { reach }) };
}
