/**
 * The password of a server that we start: 192 random bits, new for each start. The server receives a verifier, which
 * does not reveal the password, or a file that only the server can read. No command line contains a password.
 */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { giveTo, type RunAs } from './run-as.ts';

export function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

/** Writes a file that only this user can read. */
export async function writePrivately(path: string, text: string, user: RunAs): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
  await giveTo(user, path);
}
