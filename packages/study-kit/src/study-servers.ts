/** The database servers of a run: started on first use, kept until it ends, and restarted after their death. */
import {
  enginesOf,
  type ReachedContainer,
  reportsFullDisk,
  type ServerReach,
  type StoreConfiguration,
  type StoreEngine,
  storeConfigurations,
  type TopoBenchError,
} from '@topo-bench/core';
import { readTreeWrittenBytes } from '@topo-bench/host';
import type { GroupReading } from '@topo-bench/loadgen';
import type { RunEnvironment } from '@topo-bench/measured';
import { failureOn, openStore, withWayToSpace } from '@topo-bench/stores';
import { engines } from '@topo-bench/stores/engines';
import { serverAddress } from '@topo-bench/stores/servers/connection-strings';
import { startServer } from '@topo-bench/stores/servers/start-server';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
import { readTree } from './tree-reading.ts';

export class StudyServer {
  readonly #server: StoreServer;
  #death: TopoBenchError | undefined;
  #identity: string | undefined;
  #revivals = 0;

  constructor(server: StoreServer) {
    this.#server = server;
    server.onDeath = (error) => {
      this.#death = error;
    };
  }

  get url(): string {
    return this.#server.url;
  }

  /** Present for a server in a container. */
  get container(): ReachedContainer | undefined {
    return this.#server.container;
  }

  /** Host and port of a user-supplied server. */
  get address(): string | undefined {
    return this.#server.origin === 'connection-string' ? serverAddress(this.#server.url) : undefined;
  }

  /** How often it was started again: its data may be lost then. */
  get revivals(): number {
    return this.#revivals;
  }

  /** Why it ended; undefined while it runs. */
  get death(): TopoBenchError | undefined {
    return this.#death;
  }

  /** The error to report for a failed use: its death, unless its disk is full. */
  failure(error: unknown): unknown {
    const found = failureOn(this.#server, error);
    return reportsFullDisk(found) ? found : (this.#death ?? found);
  }

  /** A full disk with the way to space of this server; any other error as it is. */
  withWayToSpace(error: unknown): unknown {
    return this.address === undefined ? withWayToSpace(error, this.#server) : error;
  }

  /** Name and version as it reports them. */
  async identity(): Promise<string> {
    this.#identity ??= await reportedName(this.#server);
    return this.#identity;
  }

  /** Starts it again if it has ended. @throws TopoBenchError `TB_STORE_SERVER_FAILED` */
  async revive(): Promise<void> {
    if (!this.#death) return;
    await this.#server.restart();
    this.#revivals++;
    this.#death = undefined;
  }

  /** Bytes that its processes have written to files; undefined where they are unknown. */
  writtenBytes(): number | undefined {
    return this.#server.pid === undefined ? undefined : readTreeWrittenBytes([this.#server.pid]);
  }

  /** Its processes; empty where they are unknown. */
  usage(): Record<string, GroupReading> {
    const use = this.#server.pid === undefined ? undefined : readTree(this.#server.pid, { pss: true });
    // Memory that its processes share counts once, where the system distinguishes it.
    return use ? { store: { ...use, rssBytes: use.pssBytes ?? use.rssBytes } } : {};
  }

  async stop(): Promise<void> {
    this.#server.onDeath = undefined;
    await this.#server.stop();
  }
}

/** Reported through the client of a store: its settings have no effect on that. */
async function reportedName({ engine, url }: StoreServer): Promise<string> {
  const { serverName } = await engines[engine].heatMap();
  if (serverName) return serverName(url);
  const isServed = (one: StoreConfiguration): boolean => (enginesOf[one] as readonly StoreEngine[]).includes(engine);
  const configuration = storeConfigurations.find(isServed) as StoreConfiguration;
  const store = await openStore({ configuration, url, poolSize: 1, queueLimit: 1, waitMs: 10_000, timeoutMs: 10_000 });
  try {
    const { name, version } = await store.server();
    return `${name} ${version}`;
  } finally {
    await store.close();
  }
}

/** The fields that choose a server. */
export interface StudyServerFields {
  engine: StoreEngine;
  url?: string | undefined;
  image?: string | undefined;
}

/** How the programs of a run reach a server; undefined: as processes. */
export type StudyReach = (fields: StudyServerFields) => Promise<ServerReach | undefined>;

export class StudyServers {
  readonly #environment: RunEnvironment;
  readonly #reach: StudyReach;
  readonly #servers = new Map<string, Promise<StudyServer>>();

  constructor(environment: RunEnvironment, reach: StudyReach = async () => undefined) {
    this.#environment = environment;
    this.#reach = reach;
  }

  /** @throws TopoBenchError what `startServer` throws */
  async of(fields: StudyServerFields, signal: AbortSignal): Promise<StudyServer> {
    const { engine, url, image } = fields;
    const key = JSON.stringify([engine, url, image]);
    const started = this.#servers.get(key) ?? this.#start(fields, signal);
    this.#servers.set(key, started);
    try {
      const server = await started;
      await server.revive();
      return server;
    } catch (error) {
      this.#servers.delete(key);
      // One that cannot be restarted may have left a container.
      await (await started.catch(() => undefined))?.stop().catch(() => undefined);
      throw error;
    }
  }

  async #start(fields: StudyServerFields, signal: AbortSignal): Promise<StudyServer> {
    const { engine, url, image } = fields;
    const { serverUrls: flags, logsDir } = this.#environment;
    const reach = await this.#reach(fields);
    return new StudyServer(await startServer({ engine, url, image, flags, logsDir, signal, ...(reach && { reach }) }));
  }

  async close(): Promise<void> {
    const servers = await Promise.allSettled(this.#servers.values());
    this.#servers.clear();
    await Promise.all(servers.map((server) => (server.status === 'fulfilled' ? server.value.stop() : undefined)));
  }
}
