/**
 * The only user of a MongoDB-protocol server that we start. These servers accept a first user only while they require
 * no login. So the server runs once without authentication, gets its user, and stops. A second user, added by another
 * process in that time, is detected and rejected.
 */
import { TopoBenchError } from '@topo-bench/core';
import { whenReady } from '@topo-bench/host';
import { MongoClient } from 'mongodb';
import type { Guard, GuardedCommand } from '../servers/guarded-process.ts';
import type { Place } from '../servers/recipe.ts';
import { ping } from './ping.ts';

const readyTimeoutMs = 60_000;
const pingTimeoutMs = 3000;
const pauseMs = 50;

export interface FirstUser {
  name: string;
  password: string;
}

/** @throws TopoBenchError `TB_STORE_SERVER_FAILED` */
export async function addFirstUser(
  guard: Guard,
  program: string,
  command: GuardedCommand,
  { host, port }: Pick<Place, 'host' | 'port'>,
  user: FirstUser,
): Promise<void> {
  const { onDeath } = guard;
  let death: TopoBenchError | undefined;
  guard.onDeath = (error) => {
    death = error;
  };
  try {
    await guard.serve(program, command);
    const url = `mongodb://${host}:${port}/`;
    const attempt = async (): Promise<Error | undefined> => {
      const refusal = await ping(url, pingTimeoutMs).then(
        () => undefined,
        (error: Error) => error,
      );
      if (death) throw death;
      return refusal;
    };
    const refusal = await whenReady(attempt, { timeoutMs: readyTimeoutMs, pauseMs });
    if (refusal)
      throw new TopoBenchError('TB_STORE_SERVER_FAILED', `${program}: no answer to a ping`, { cause: refusal });
    const users = await createUser(url, user.name, user.password);
    if (users !== 1) {
      throw new TopoBenchError('TB_STORE_SERVER_FAILED', `${program}: got ${users} users at its start, expected 1`);
    }
    await guard.end();
  } finally {
    guard.onDeath = onDeath;
  }
}

/** @returns the number of users afterwards */
async function createUser(url: string, user: string, password: string): Promise<number> {
  const client = new MongoClient(url, { directConnection: true });
  try {
    const admin = client.db('admin');
    await admin.command({ createUser: user, pwd: password, roles: [{ role: 'root', db: 'admin' }] });
    const { users } = await admin.command({ usersInfo: 1 });
    return (users as unknown[]).length;
  } finally {
    await client.close();
  }
}
