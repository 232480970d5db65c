/**
 * Statement handles that contain the sealed statement. The server keeps no state for callers that may never return, and
 * runs only statements that it has checked. Sealed with AES-256-GCM under a key of this process, bound to the user that
 * prepared the statement.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { FlightError } from '@topo-bench/arrow-flight';
import type { SqlRow, SqlShape } from './sql-source.ts';

export interface SealedStatement {
  text: string;
  shape: SqlShape;
  /** Values of the bound parameters. */
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

  /** @throws FlightError `not-found` for a handle of another process or user */
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
  return new FlightError('not-found', 'unknown statement', {
    hint: 'prepare it again: a handle is valid for one server process and one user',
  });
}
