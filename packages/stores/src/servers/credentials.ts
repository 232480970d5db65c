/**
 * The password of a server that we start: drawn for each start, 192 bits. What is written down for the server is a verifier that
 * does not give the password away, or a file that only the server can read. No password stands in a command line.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { giveTo, type RunAs } from './run-as.ts';

export function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

/** As PostgreSQL keeps passwords (SCRAM-SHA-256, RFC 5803 and RFC 7677). */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16), iterations = 4096): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const hmac = (name: string): Buffer => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${hmac('Server Key').toString('base64')}`;
}

/** As `mysql_native_password` keeps it: SHA-1 of the SHA-1, in hexadecimal. */
export function mysqlVerifier(password: string): string {
  const once = createHash('sha1').update(password).digest();
  return `*${createHash('sha1').update(once).digest('hex').toUpperCase()}`;
}

/** A file for one user's eyes. */
export async function writePrivately(path: string, text: string, user: RunAs): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
  await giveTo(user, path);
}
