/**
 * The routes of a service that keeps data: `POST /items`, `GET`, `PUT` and `DELETE /items/:id`, `GET /items` by the queried
 * fields, `GET /items/stats`. The same answers and errors whatever store and framework.
 */
import { randomUUID } from 'node:crypto';
import { TopoBenchError } from '@topo-bench/core/errors';
import type { RolePersistence } from '@topo-bench/core/persistence';
import type { RoleConfig } from '@topo-bench/core/role-config';
import type { Item, ItemQuery } from '@topo-bench/stores/item';
import { openStore } from '@topo-bench/stores/open-store';
import type { Store } from '@topo-bench/stores/store';
import type { RoleCounters } from '../control/role-counters.ts';
import type { Call, Route } from '../http/http-port.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { readCursor, toCursor } from './cursor.ts';
import { itemChecks } from './item-checks.ts';
import { readTime } from './times.ts';
import { type WriteGuard, writeGuard } from './write-guard.ts';

export interface ItemRoutes {
  routes: Route[];
  /** Waits for what is under way at the store, then ends its connections. */
  close(): Promise<void>;
}

export async function itemRoutes(
  config: RoleConfig,
  persistence: RolePersistence,
  counters: RoleCounters,
  complain: (line: string) => void,
): Promise<ItemRoutes> {
  const [store, guard] = await Promise.all([openStore(persistence.store), writeGuard(config, persistence, complain)]);
  const items = new Items(store, guard);
  const checks = itemChecks();
  const params = checks.id;
  const counted = (handle: (call: Call) => Promise<void>) => async (call: Call) => {
    counters.inFlight++;
    try {
      await handle(call);
      counters.served++;
    } catch (error) {
      answerFailure(call, error);
    } finally {
      counters.inFlight--;
    }
  };
  const routes: Route[] = [
    { method: 'POST', path: '/items', checks: { body: checks.newItem }, handle: counted((call) => items.create(call)) },
    { method: 'GET', path: '/items', checks: { querystring: checks.query }, handle: counted((call) => items.query(call)) },
    // Before `/:id`, which it would be taken for.
    {
      method: 'GET',
      path: '/items/stats',
      checks: { querystring: checks.nothing },
      handle: counted((call) => items.stats(call)),
    },
    { method: 'GET', path: '/items/:id', checks: { params }, handle: counted((call) => items.get(call)) },
    {
      method: 'PUT',
      path: '/items/:id',
      checks: { params, body: checks.replacement },
      handle: counted((call) => items.put(call)),
    },
    { method: 'DELETE', path: '/items/:id', checks: { params }, handle: counted((call) => items.delete(call)) },
  ];
  return { routes, close: () => store.close() };
}

class Items {
  constructor(
    private readonly store: Store,
    private readonly guard: WriteGuard,
  ) {}

  async create(call: Call): Promise<void> {
    const { id = randomUUID(), createdAt = new Date().toISOString(), ...rest } = call.body as Partial<Item>;
    const item = await this.guard.admit({ id, createdAt, ...rest } as Item, call.headers);
    if (!(await this.store.create(item))) throw new HttpProblem(409, 'conflict', `there is an item ${id} already`);
    call.answer(201, JSON.stringify(item), { location: `/items/${id}` });
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
    // A full page may be the last one: then the next is empty.
    const next = last && items.length === query.limit ? toCursor(last) : null;
    call.answer(200, JSON.stringify({ items, next }));
  }

  async put(call: Call): Promise<void> {
    const id = call.parameter;
    const replacement = call.body as Item;
    if (replacement.id !== undefined && replacement.id !== id) {
      const problem = `id: must be that of the path, ${id}, got ${replacement.id}`;
      throw new HttpProblem(400, 'invalid', 'the request is not valid', [problem]);
    }
    const item = await this.guard.admit({ ...replacement, id }, call.headers);
    const isNew = await this.store.put(item);
    call.answer(isNew ? 201 : 200, JSON.stringify(item), isNew ? { location: `/items/${id}` } : {});
  }

  async delete(call: Call): Promise<void> {
    if (!(await this.store.delete(call.parameter))) throw notFound(call.parameter);
    call.answer(204, '');
  }

  async stats(call: Call): Promise<void> {
    call.answer(200, JSON.stringify(await this.store.stats()));
  }
}

function notFound(id: string): HttpProblem {
  return new HttpProblem(404, 'not-found', `there is no item ${id}`);
}

const errorOf: Readonly<Record<string, string>> = {
  TB_STORE_UNAVAILABLE: 'store-unavailable',
  TB_STORE_BUSY: 'store-busy',
};

function answerFailure(call: Call, error: unknown): void {
  const name = error instanceof TopoBenchError ? errorOf[error.code] : undefined;
  if (name === undefined) throw error;
  // Why exactly is for the log of the database: addresses and users are nothing for clients.
  const message = name === 'store-busy' ? 'too many operations wait for the store' : 'the store does not answer';
  call.answer(503, new HttpProblem(503, name, message).json, { 'retry-after': '1' });
}
