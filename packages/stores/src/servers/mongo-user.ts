/**
 * The one user of a MongoDB-protocol server that we start. These servers take a first user only while they ask nobody to log in, so
 * the server runs once without, gets its user, and ends. Another user that somebody added in this second is found and refused.
 */
import { TopoBenchError } from '@topo-bench/core';
import { whenReady } from '@topo-bench/host';
import type { Guard, GuardedCommand } from './guarded-process.ts';
import { pingFailure } from './ping.ts';

export const mongoUser = 'topo-bench';

const readyTimeoutMs = 60_000;
const pauseMs = 50;

/** @throws TopoBenchError `TB_STORE_SERVER_FAILED` */
export async function addMongoUser(
  guard: Guard,
  name: string,
  command: GuardedCommand,
  { port, password }: { port: number; password: string },
): Promise<void> {
  const { onDeath } = guard;
  let death: TopoBenchError | undefined;
  guard.onDeath = (error) => {
    death = error;
  };
  try {
    await guard.serve(name, command);
    const url = `mongodb://127.0.0.1:${port}/`;
    const attempt = async (): Promise<Error | undefined> => {
      const refusal = await pingFailure('mongodb', url);
      if (death) throw death;
      return refusal;
    };
    const refusal = await whenReady(attempt, { timeoutMs: readyTimeoutMs, pauseMs });
    if (refusal) throw new TopoBenchError('TB_STORE_SERVER_FAILED', `${name} did not answer`, { cause: refusal });
    // A module of ours: a driver that is imported dynamically loses its names in the bundle.
    const { createUser } = await import('../mongodb/create-user.ts');
    const users = await createUser(url, mongoUser, password);
    if (users !== 1) {
      throw new TopoBenchError('TB_STORE_SERVER_FAILED', `${name} got a user from somebody else while it started`);
    }
    await guard.end();
  } finally {
    guard.onDeath = onDeath;
  }
}
