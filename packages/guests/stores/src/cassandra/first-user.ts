/**
 * The only user of a Cassandra server that we start. A new server has one superuser, whose name and password are
 * published. We log in as that user, create our own, and drop it. Another program can log in until then. The start
 * fails if that program is still connected, or has created a user. One that left without a user is not detected.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { TopoBenchError } from '@topo-bench/core';
import type { Client } from 'cassandra-driver';
import type { Place } from '../servers/recipe.ts';
import { withSession } from './driver.ts';
import { ping } from './ping.ts';

export interface FirstUser {
  name: string;
  /** Letters, digits, `_` and `-`. */
  password: string;
}

const published: FirstUser = { name: 'cassandra', password: 'cassandra' };
const timeoutMs = 10_000;
/** Our own closed connections leave the list of the server at once, or later on a loaded machine. */
const closingMs = 10_000;
const pauseMs = 50;

function urlOf({ name, password }: FirstUser, { host, port }: Pick<Place, 'host' | 'port'>): string {
  return `cassandra://${name}:${password}@${host}:${port}/`;
}

/**
 * May be called again after any failure.
 * @throws TopoBenchError `TB_STORE_SERVER_FAILED` when another program had access; the driver's error while the server
 *   is not ready
 */
export async function replaceFirstUser(place: Pick<Place, 'host' | 'port'>, user: FirstUser): Promise<void> {
  const url = urlOf(user, place);
  const exists = await ping(url, timeoutMs).then(
    () => true,
    () => false,
  );
  if (!exists) {
    const create = `CREATE ROLE IF NOT EXISTS '${user.name}' WITH SUPERUSER = true AND LOGIN = true AND PASSWORD = '${user.password}'`;
    await withSession(urlOf(published, place), timeoutMs, (session) => session.execute(create, [], { prepare: false }));
  }
  await withSession(url, timeoutMs, async (session) => {
    await session.execute(`DROP ROLE IF EXISTS '${published.name}'`, [], { prepare: false });
    // From here on no other program can log in.
    await requireNoOtherSession(session, user.name);
    await requireNoOtherUser(session, user.name);
  });
}

async function requireNoOtherSession(session: Client, name: string): Promise<void> {
  for (const deadline = performance.now() + closingMs; ; await sleep(pauseMs)) {
    const { rows } = await session.execute('SELECT username FROM system_views.clients');
    const others = rows.filter(({ username }) => username !== name);
    if (others.length === 0) return;
    if (performance.now() > deadline) throw intruded(`${others.length} other connections`, 'none');
  }
}

async function requireNoOtherUser(session: Client, name: string): Promise<void> {
  const { rows } = await session.execute('SELECT role FROM system_auth.roles');
  const users = rows.map(({ role }) => String(role)).sort();
  if (users.join() !== name) throw intruded(`the users ${users.join(', ')}`, name);
}

function intruded(found: string, expected: string): TopoBenchError {
  const message = `cassandra: got ${found} at its start, expected ${expected}`;
  return new TopoBenchError('TB_STORE_SERVER_FAILED', message, {
    hint: 'another program of this machine has logged in; start again',
  });
}
