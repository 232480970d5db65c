/** Starts a server of our own: in its own folder and port, behind a guard. It answers a ping before it is returned. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportsFullDisk, type StoreEngine, TopoBenchError } from '@topo-bench/core';
import { freePort, whenReady } from '@topo-bench/host';
import { StoreDiskFull, withWayToSpace } from '../store-error.ts';
import { makeDataFolder } from './data-folder.ts';
import { Guard, lastLines } from './guarded-process.ts';
import { pingFailure } from './ping.ts';
import type { Place, Recipe } from './recipe.ts';
import type { StoreServer } from './store-server.ts';

/** Cassandra takes almost a minute on a loaded machine. A server that has ended is noticed at once. */
const readyTimeoutMs = 180_000;
const pauses = { pauseMs: 20, maxPauseMs: 200 };
/** Another program may take a free port before the server binds to it. */
const attempts = 3;
const restartAttempts = 20;
const restartPauseMs = 100;
/** A server may report much after it has found its disk full, such as the sessions that it ends. */
const linesSearched = 200;

/**
 * @param host address that the server listens on
 * @param signal aborts the start
 * @throws TopoBenchError `TB_STORE_SERVER_FAILED`, `TB_STORE_DISK_FULL`
 */
export async function launch(recipe: Recipe, host: string, signal?: AbortSignal): Promise<StoreServer> {
  for (let attempt = 1; ; attempt++) {
    const server = new LaunchedServer(recipe, host, await freePort());
    try {
      await server.start(signal);
      return server;
    } catch (error) {
      await server.stop();
      signal?.throwIfAborted();
      const portTaken =
        error instanceof Error &&
        /address already in use|is in use by another process|EADDRINUSE|errno: 98/i.test(error.message);
      if (!portTaken || attempt === attempts) throw startFailure(recipe, error);
    }
  }
}

/** Its programs and its passwords are written by this process. */
function startFailure(recipe: Recipe, error: unknown): unknown {
  if (error instanceof TopoBenchError || !reportsFullDisk(error)) return error;
  return withWayToSpace(new StoreDiskFull(error, `cannot start ${recipe.name}`), recipe);
}

class LaunchedServer implements StoreServer {
  readonly engine: StoreEngine;
  readonly origin: 'embedded' | 'found-binary';
  readonly source: string;
  readonly url: string;
  readonly started: readonly string[];
  onDeath: StoreServer['onDeath'];
  #pid: number | undefined;
  #death: TopoBenchError | undefined;
  #isRestarting = false;
  readonly #recipe: Recipe;
  readonly #place: Place;
  readonly #guard: Guard;

  constructor(recipe: Recipe, host: string, port: number) {
    const { engine, origin, source, name, group } = recipe;
    [this.engine, this.origin, this.source] = [engine, origin, source];
    const folder = makeDataFolder(name, group);
    this.#recipe = recipe;
    this.#guard = new Guard(folder);
    this.#place = { folder, host, port, log: join(folder, 'server.log') };
    this.url = recipe.url(this.#place);
    this.started = recipe.serve(this.#place).args;
    this.#guard.onDeath = (error) => {
      this.#death = error;
      this.#pid = undefined;
      if (!this.#isRestarting) this.onDeath?.(error);
    };
  }

  get pid(): number | undefined {
    return this.#pid;
  }

  async start(signal?: AbortSignal): Promise<void> {
    await this.#recipe.prepare(this.#place, this.#guard);
    await this.#serve(signal, { isFirst: true });
  }

  async restart(): Promise<void> {
    // Processes of a killed server may hold its data for a moment, and a new server then ends at once.
    this.#isRestarting = true;
    try {
      for (let attempt = 1; this.#pid === undefined; attempt++) await this.#tryToServe(attempt < restartAttempts);
    } finally {
      this.#isRestarting = false;
    }
  }

  async #tryToServe(mayFail: boolean): Promise<void> {
    try {
      await this.#serve();
    } catch (error) {
      if (!mayFail || !this.#death) throw error;
      await sleep(restartPauseMs);
    }
  }

  hasFullDisk(): boolean {
    return reportsFullDisk({ message: lastLines(this.#place.log, linesSearched).join('\n') });
  }

  async renew(signal?: AbortSignal): Promise<void> {
    await this.#guard.end();
    this.#pid = undefined;
    await this.#serve(signal);
  }

  stop(): Promise<void> {
    return this.#guard.stop();
  }

  async #serve(signal?: AbortSignal, { isFirst = false } = {}): Promise<void> {
    signal?.throwIfAborted();
    this.#death = undefined;
    const { log } = this.#place;
    const pid = await this.#guard.serve(this.#recipe.name, { ...this.#recipe.serve(this.#place), log });
    if (!this.#death) this.#pid = pid;
    const { engine } = this.#recipe;
    if (isFirst) await this.#waitUntilReady(() => this.#replaceFirstUser(), signal);
    await this.#waitUntilReady(() => pingFailure(engine, this.url), signal);
  }

  async #replaceFirstUser(): Promise<Error | undefined> {
    try {
      await this.#recipe.replaceFirstUser?.(this.#place);
      return undefined;
    } catch (error) {
      if (error instanceof TopoBenchError) throw error;
      return error as Error;
    }
  }

  /** @param failure why it is not ready; undefined when it is */
  async #waitUntilReady(failure: () => Promise<Error | undefined>, signal?: AbortSignal): Promise<void> {
    const { name } = this.#recipe;
    const attempt = async (): Promise<Error | undefined> => {
      if (this.#death) throw this.#death;
      signal?.throwIfAborted();
      return failure();
    };
    const refusal = await whenReady(attempt, { timeoutMs: readyTimeoutMs, ...pauses });
    if (!refusal) return;
    const message = `${name} failed to answer within ${readyTimeoutMs / 1e3} s: ${refusal.message}`;
    throw new TopoBenchError('TB_STORE_SERVER_FAILED', message, { cause: refusal });
  }
}
