/**
 * The routes of a service with a store: `POST /items`; `GET`, `PUT` and `DELETE /items/:id`; `GET /items` with filters;
 * `GET /items/stats`. Answers and errors do not depend on store or framework.
 */
import { randomUUID } from 'node:crypto';
import {
  deliveredHeader,
  diskFullStatus,
  type Item,
  type RolePersistence,
  type StoreSecrets,
  TopoBenchError,
} from '@topo-bench/core';
import { deliveredDigests } from '@topo-bench/core/delivered-digest';
import { type ItemQuery, openStore, type Store } from '@topo-bench/stores';
import type { RoleCounters } from '../control/role-counters.ts';
import type { Call, Route } from '../http/http-port.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { readCursor, toCursor } from './cursor.ts';
import { type ItemHandlers, itemVerbs } from './item-verbs.ts';
import { readTime } from './times.ts';

export interface ItemRoutes {
  routes: Route[];
  /** Waits for store operations in flight, then closes the connections. */
  close(): Promise<void>;
}

export async function itemRoutes(
  settings: RolePersistence['store'],
  { url, callerToken }: StoreSecrets,
  digestKey: string,
  counters: RoleCounters,
): Promise<ItemRoutes> {
  const store = await openStore({ ...settings, url });
  return { routes: routesOfStore(store, callerToken, digestKey, counters), close: () => store.close() };
}

/** The caller is the enforcement point of the service or, without enforcement, a client. Both need a token. */
export function routesOfStore(store: Store, callerToken: string, digestKey: string, counters: RoleCounters): Route[] {
  const items = new Items(store, digestKey);
  const answering = (handle: (call: Call) => Promise<void>) => async (call: Call) => {
    try {
      await handle(call);
    } catch (error) {
      answerFailure(call, error);
    }
  };
  const handlers: ItemHandlers = {
    create: answering((call) => items.create(call)),
    query: answering((call) => items.query(call)),
    stats: answering((call) => items.stats(call)),
    get: answering((call) => items.get(call)),
    put: answering((call) => items.put(call)),
    delete: answering((call) => items.delete(call)),
  };
  return itemVerbs('/items', callerToken, handlers, counters);
}

class Items {
  constructor(
    private readonly store: Store,
    private readonly digestKey: string,
  ) {}

  async create(call: Call): Promise<void> {
    const { id = randomUUID(), createdAt = new Date().toISOString(), ...rest } = call.body as Partial<Item>;
    const item = { id, createdAt, ...rest } as Item;
    if (!(await this.store.create(item))) throw new HttpProblem(409, 'conflict', `item ${id} already exists`);
    call.answer(201, JSON.stringify(item), { location: `/items/${id}`, ...this.received(item) });
  }

  async get(call: Call): Promise<void> {
    const item = await this.store.get(call.parameter);
    if (!item) throw notFound(call.parameter);
    call.answer(200, JSON.stringify(item));
  }

  async query(call: Call): Promise<void> {
    const { after, from, ...rest } = call.query as Omit<ItemQuery, 'after'> & { after?: string };
    const query: ItemQuery = { ...rest };
    const position = after === undefined ? undefined : readCursor(after);
    if (position) query.after = position;
    const time = from === undefined ? undefined : readTime(from);
    if (time !== undefined) query.from = time;
    const items = await this.store.query(query);
    const last = items.at(-1);
    // The last page can be full; the next page is then empty.
    const next = last && items.length === query.limit ? toCursor(last) : null;
    call.answer(200, JSON.stringify({ items, next }));
  }

  async put(call: Call): Promise<void> {
    const id = call.parameter;
    const replacement = call.body as Item;
    if (replacement.id !== undefined && replacement.id !== id) {
      const problem = `id: must be that of the path, ${id}, got ${replacement.id}`;
      throw new HttpProblem(400, 'invalid', 'invalid request', [problem]);
    }
    const item = { ...replacement, id };
    const isNew = await this.store.put(item);
    call.answer(isNew ? 201 : 200, JSON.stringify(item), {
      ...(isNew && { location: `/items/${id}` }),
      ...this.received(item),
    });
  }

  async delete(call: Call): Promise<void> {
    if (!(await this.store.delete(call.parameter))) throw notFound(call.parameter);
    call.answer(204, '');
  }

  private received({ id: _, ...payload }: Item): Record<string, string> {
    return { [deliveredHeader]: JSON.stringify(deliveredDigests(payload, this.digestKey)) };
  }

  async stats(call: Call): Promise<void> {
    call.answer(200, JSON.stringify(await this.store.stats()));
  }
}

function notFound(id: string): HttpProblem {
  return new HttpProblem(404, 'not-found', `item ${id} does not exist`);
}

/** Clients get no details: addresses and users belong in the log of the database only. */
const problemOf: Readonly<Record<string, HttpProblem>> = {
  TB_STORE_UNAVAILABLE: new HttpProblem(503, 'store-unavailable', 'the store does not answer'),
  TB_STORE_BUSY: new HttpProblem(503, 'store-busy', 'too many operations wait for the store'),
  TB_STORE_DISK_FULL: new HttpProblem(diskFullStatus, 'store-full', 'the disk of the store is full'),
};

function answerFailure(call: Call, error: unknown): void {
  const problem = error instanceof TopoBenchError ? problemOf[error.code] : undefined;
  if (problem === undefined) throw error;
  call.answer(problem.status, problem.json, problem.status === 503 ? { 'retry-after': '1' } : {});
}
