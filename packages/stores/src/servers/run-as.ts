/**
 * Users that servers run as when we are root. Making fresh data needs a user with an account: nobody. The server itself runs as a
 * user without an account, drawn at random, so that no other process of the machine has the same rights: not even one of nobody.
 */
import { randomInt } from 'node:crypto';
import { chown, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface RunAs {
  uid?: number;
  gid?: number;
}

export interface ServerUsers {
  /** Makes the data; in the group of the server, which alone may enter the folder. */
  prepare: RunAs;
  serve: RunAs;
}

const nobody = 65_534;
/** Neither people nor services get these by the usual conventions. */
const accountless = [59_000, 60_000] as const;

/** Both are ourselves unless we are root. */
export function serverUsers(): ServerUsers {
  if (process.getuid?.() !== 0) return { prepare: {}, serve: {} };
  const id = randomInt(...accountless);
  return { prepare: { uid: nobody, gid: id }, serve: { uid: id, gid: id } };
}

/** Gives a folder and all that is in it to a user; does nothing for ourselves. */
export async function giveTo({ uid, gid }: RunAs, path: string): Promise<void> {
  if (uid === undefined || gid === undefined) return;
  await chown(path, uid, gid);
  if (!(await lstat(path)).isDirectory()) return;
  for (const name of await readdir(path)) {
    const inner = join(path, name);
    if (!(await lstat(inner)).isSymbolicLink()) await giveTo({ uid, gid }, inner);
  }
}
