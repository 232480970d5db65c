/**
 * A database server in a container: an image with the contract of its official one. Its port is published on an address
 * of this machine, and it answers a ping of its own client before it is returned.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '@topo-bench/containers';
import { reportsFullDisk, type ServerReach, type StoreEngine, TopoBenchError } from '@topo-bench/core';
import { freePort, whenReady } from '@topo-bench/host';
import { imageOf } from '../engines.ts';
import { waysToSpace } from '../store-error.ts';
import { newPassword } from './credentials.ts';
import { pingFailure } from './ping.ts';
import { createServerContainer, type ServerContainer } from './server-container.ts';
import type { StoreServer } from './store-server.ts';

export interface ImageServerOptions {
  engine: StoreEngine;
  /** e.g. `postgres:17`. */
  image: string;
  reach: ServerReach;
  /** Folder that keeps the log of a server that failed. */
  logsDir?: string | undefined;
  signal?: AbortSignal | undefined;
}

const pauses = { pauseMs: 50, maxPauseMs: 500 };
/** Another program may take a free port before the engine publishes on it. */
const attempts = 3;
const linesShown = 10;

/**
 * @param on engine that has the image
 * @throws TopoBenchError `TB_STORE_SERVER_FAILED`
 */
export async function launchImage(on: Engine, options: ImageServerOptions): Promise<StoreServer> {
  const { engine, image, reach, signal } = options;
  const password = newPassword();
  // Roles in containers use the network of the deployment, so only this process needs the port.
  const host = reach.containers ? on.publishedHost : (reach.listen ?? on.publishedHost);
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    const { access, port } = imageOf(engine);
    const published = { host, port: await freePort() };
    const name = `topo-bench-${engine}-${randomBytes(6).toString('hex')}`;
    const container = await createServerContainer(on, { name, image, published, port, access: access(password) });
    const server = new ImageServer(on, container, password, options);
    try {
      await server.start(signal);
      return server;
    } catch (error) {
      await server.stop();
      signal?.throwIfAborted();
      const portTaken = /port is already allocated|address already in use/i.test((error as Error).message);
      if (!portTaken || attempt === attempts) throw error;
    }
  }
}

class ImageServer implements StoreServer {
  readonly engine: StoreEngine;
  readonly origin = 'image';
  readonly source: string;
  readonly url: string;
  readonly started: readonly string[];
  readonly container: StoreServer['container'];
  onDeath: StoreServer['onDeath'];
  #pid: number | undefined;
  #running = false;
  #death: TopoBenchError | undefined;
  /** Counts starts and requested ends. A report about an earlier one arrives late and is ignored. */
  #life = 0;
  readonly #on: Engine;
  readonly #own: ServerContainer;
  readonly #logsDir: string | undefined;

  constructor(on: Engine, own: ServerContainer, password: string, { engine, image, logsDir }: ImageServerOptions) {
    this.#on = on;
    this.#own = own;
    this.#logsDir = logsDir;
    this.engine = engine;
    this.source = `${image} (${own.imageId})`;
    this.started = own.command;
    this.url = imageOf(engine).url(own.published.host, own.published.port, password);
    this.container = { ...own.published, id: own.id, name: own.name, containerPort: own.port };
  }

  get pid(): number | undefined {
    return this.#pid;
  }

  start(signal?: AbortSignal): Promise<void> {
    return this.#serve(signal);
  }

  async restart(): Promise<void> {
    if (!this.#running) await this.#serve();
  }

  async renew(signal?: AbortSignal): Promise<void> {
    await this.#end(() => this.#own.end());
    await this.#serve(signal);
  }

  stop(): Promise<void> {
    return this.#end(() => this.#own.remove());
  }

  async #end(end: () => Promise<void>): Promise<void> {
    this.#life++;
    await end();
    this.#running = false;
    this.#pid = undefined;
  }

  async #serve(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.#life++;
    this.#death = undefined;
    await this.#own.start().catch((error: Error) => {
      throw this.#failure(`cannot start: ${error.message}`, error);
    });
    this.#running = true;
    this.#watch();
    // Processes of an engine in a machine of its own are not in `/proc` here.
    this.#pid = this.#on.facts.local ? await this.#own.pid() : undefined;
    await this.#waitUntilReady(signal);
  }

  async #waitUntilReady(signal?: AbortSignal): Promise<void> {
    const { readyTimeoutMs: timeoutMs } = imageOf(this.engine);
    const attempt = async (): Promise<Error | undefined> => {
      if (this.#death) throw this.#death;
      signal?.throwIfAborted();
      return pingFailure(this.engine, this.url);
    };
    const refusal = await whenReady(attempt, { timeoutMs, ...pauses });
    if (!refusal) return;
    const lines = await this.#keepLog();
    throw this.#failure(`no answer within ${timeoutMs / 1e3} s: ${refusal.message}${lines}`, refusal);
  }

  /** Reports the end of the container, unless it was requested. */
  #watch(): void {
    const life = this.#life;
    void this.#own.ended().then(async (how) => {
      if (life !== this.#life || how === undefined) return;
      this.#running = false;
      this.#pid = undefined;
      const death = this.#failure(how + (await this.#keepLog()));
      if (life === this.#life) this.#death = death;
      this.onDeath?.(death);
    });
  }

  /** Writes the log to the folder of logs. @returns its last lines, as text after a message */
  async #keepLog(): Promise<string> {
    const log = await this.#own.log();
    if (this.#logsDir !== undefined) {
      await mkdir(this.#logsDir, { recursive: true, mode: 0o700 });
      await writeFile(join(this.#logsDir, `store-${this.engine}.log`), log, { mode: 0o600 });
    }
    const lines = log.split('\n').filter(Boolean).slice(-linesShown);
    return lines.map((line) => `\n  | ${line}`).join('');
  }

  #failure(how: string, cause?: Error): TopoBenchError {
    const message = `the ${this.engine} server of the image ${this.source} ${how}`;
    if (reportsFullDisk({ message }))
      return new TopoBenchError('TB_STORE_DISK_FULL', message, { hint: waysToSpace.image });
    return new TopoBenchError('TB_STORE_SERVER_FAILED', message, cause === undefined ? {} : { cause });
  }
}
