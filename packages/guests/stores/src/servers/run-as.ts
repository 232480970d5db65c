/**
 * Users of servers when we are root. Initialising data needs a user with an account: `nobody`. The server itself runs
 * as a random user without an account. No other process of the machine then has the same privileges, not even one of
 * `nobody`.
 */
import { randomInt } from 'node:crypto';
import { chown, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface RunAs {
  uid?: number;
  gid?: number;
}

export interface ServerUsers {
  /** Initialises the data; member of the server's group, the only one with access to the folder. */
  prepare: RunAs;
  serve: RunAs;
}

const nobody = 65_534;
/** By convention, neither people nor services have these ids. */
const accountless = [59_000, 60_000] as const;

/** Both are our own user unless we are root. */
export function serverUsers(): ServerUsers {
  if (process.getuid?.() !== 0) return { prepare: {}, serve: {} };
  const id = randomInt(...accountless);
  return { prepare: { uid: nobody, gid: id }, serve: { uid: id, gid: id } };
}

/** Changes the owner of a folder and all its content; does nothing for our own user. */
export async function giveTo({ uid, gid }: RunAs, path: string): Promise<void> {
  if (uid === undefined || gid === undefined) return;
  await chown(path, uid, gid);
  if (!(await lstat(path)).isDirectory()) return;
  for (const name of await readdir(path)) {
    const inner = join(path, name);
    if (!(await lstat(inner)).isSymbolicLink()) await giveTo({ uid, gid }, inner);
  }
}
