/**
 * The objects of one kind in a namespace, kept current by watch events. Servers end watches after some minutes, and
 * drop them without notice when they restart; so the objects are listed again after each end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from './api-client.ts';
import { ApiError } from './api-error.ts';

interface Listed {
  metadata: { name: string; uid: string };
}

export interface WatchCallbacks<Item> {
  changed(item: Item): void;
  gone(item: Item): void;
  /** The API server has not answered for `giveUpMs`. */
  failed(error: unknown): void;
}

/** A server that restarts is back within some seconds. */
const giveUpMs = 60_000;
const pauseMs = 500;
/** The server ends the watch after this time, so that a connection that broke silently is replaced. */
const watchSeconds = 60;

export class ObjectWatch<Item extends Listed> {
  readonly #api: ApiClient;
  readonly #path: string;
  readonly #callbacks: WatchCallbacks<Item>;
  readonly #end = new AbortController();
  readonly #items = new Map<string, Item>();
  readonly #done: Promise<void>;

  /** @param path of the collection */
  constructor(api: ApiClient, path: string, callbacks: WatchCallbacks<Item>) {
    this.#api = api;
    this.#path = path;
    this.#callbacks = callbacks;
    this.#done = this.#run();
  }

  get items(): Item[] {
    return [...this.#items.values()];
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { signal } = this.#end;
    let answeredAt = performance.now();
    while (!signal.aborted) {
      try {
        const version = await this.#list();
        answeredAt = performance.now();
        await this.#follow(version);
      } catch (error) {
        if (signal.aborted) return;
        const isFinal = error instanceof ApiError && error.status !== 410 && error.status < 500 && error.status !== 429;
        if (isFinal || performance.now() - answeredAt > giveUpMs) {
          this.#callbacks.failed(error);
          return;
        }
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** @returns the version of the list, from which a watch continues */
  async #list(): Promise<string> {
    const { signal } = this.#end;
    const { items, metadata } = await this.#api.request<{ items: Item[]; metadata: { resourceVersion: string } }>(
      'GET',
      this.#path,
      undefined,
      { signal },
    );
    const listed = new Set(items.map((item) => item.metadata.uid));
    for (const item of this.items) if (!listed.has(item.metadata.uid)) this.#remove(item);
    for (const item of items) this.#put(item);
    return metadata.resourceVersion;
  }

  async #follow(version: string): Promise<void> {
    const query = `watch=1&resourceVersion=${version}&timeoutSeconds=${watchSeconds}`;
    for await (const { type, object } of this.#api.watch<Item>(`${this.#path}?${query}`, this.#end.signal)) {
      if (type === 'ADDED' || type === 'MODIFIED') this.#put(object);
      else if (type === 'DELETED') this.#remove(object);
      // The version is too old: list again.
      else if (type === 'ERROR') return;
    }
  }

  #put(item: Item): void {
    this.#items.set(item.metadata.uid, item);
    this.#callbacks.changed(item);
  }

  #remove(item: Item): void {
    this.#items.delete(item.metadata.uid);
    this.#callbacks.gone(item);
  }
}
