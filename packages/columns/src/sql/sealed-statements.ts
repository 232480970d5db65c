/**
 * Handles of statements: the statement itself, sealed, so that a server keeps nothing for callers who may never come
 * back, and runs nothing that it has not looked at. Sealed with AES-256-GCM under a key of this process; the user who
 * prepared it is part of it.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { FlightError } from '@topo-bench/arrow-flight';
import type { SqlRow, SqlShape } from './sql-source.ts';

export interface SealedStatement {
  text: string;
  shape: SqlShape;
  /** Of its parameters, once they are bound. */
  values?: SqlRow;
}

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

export class SealedStatements {
  private readonly key = randomBytes(32);

  seal(statement: SealedStatement, user: string | undefined): Uint8Array {
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, this.key, nonce);
    const content = Buffer.from(JSON.stringify({ ...statement, user }), 'utf8');
    return Buffer.concat([nonce, sealing.update(content), sealing.final(), sealing.getAuthTag()]);
  }

  /** @throws FlightError `not-found` for what was not sealed here, for this user */
  open(handle: Uint8Array, user: string | undefined): SealedStatement {
    const { user: owner, ...statement } = this.contentOf(handle);
    if (owner !== user) throw unknownHandle();
    return statement;
  }

  private contentOf(handle: Uint8Array): SealedStatement & { user?: string } {
    if (handle.length < nonceBytes + tagBytes) throw unknownHandle();
    const end = handle.length - tagBytes;
    const opening = createDecipheriv(cipher, this.key, handle.subarray(0, nonceBytes), { authTagLength: tagBytes });
    opening.setAuthTag(handle.subarray(end));
    try {
      const content = Buffer.concat([opening.update(handle.subarray(nonceBytes, end)), opening.final()]);
      return JSON.parse(content.toString('utf8')) as SealedStatement & { user?: string };
    } catch {
      throw unknownHandle();
    }
  }
}

function unknownHandle(): FlightError {
  return new FlightError('not-found', 'the statement is not known here', {
    hint: 'prepare it again: handles are good for the process and the user that they were made for',
  });
}
