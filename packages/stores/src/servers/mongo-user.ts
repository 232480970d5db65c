/**
 * The one user of a MongoDB-protocol server that we start. These servers take a first user only while they ask nobody to log in, so
 * the server runs once without, gets its user, and ends. Another user that somebody added in this second is found and refused.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { TopoBenchError } from '@topo-bench/core';
import type { Guard, GuardedCommand } from './guarded-process.ts';
import { ping } from './ping.ts';

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
  let died: TopoBenchError | undefined;
  const ended = new Promise<void>((resolve) => {
    guard.onDeath = (error) => {
      died = error;
      resolve();
    };
  });
  try {
    const pid = await guard.serve(name, command);
    const url = `mongodb://127.0.0.1:${port}/`;
    const endMs = performance.now() + readyTimeoutMs;
    for (;;) {
      const refusal = await ping('mongodb', url).then(
        () => undefined,
        (error: Error) => error,
      );
      if (died) throw died;
      if (!refusal) break;
      if (performance.now() > endMs)
        throw new TopoBenchError('TB_STORE_SERVER_FAILED', `${name} did not answer`, { cause: refusal });
      await sleep(pauseMs);
    }
    // A module of ours: a driver that is imported dynamically loses its names in the bundle.
    const { createUser } = await import('../mongodb/create-user.ts');
    const users = await createUser(url, mongoUser, password);
    if (users !== 1) {
      throw new TopoBenchError('TB_STORE_SERVER_FAILED', `${name} got a user from somebody else while it started`);
    }
    process.kill(pid, 'SIGTERM');
    await ended;
  } finally {
    guard.onDeath = onDeath;
  }
}
