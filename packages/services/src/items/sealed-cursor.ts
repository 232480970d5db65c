/**
 * Cursors of an enforcement point: encrypted, since the last item of a page may be one that the caller must not see, and a cursor of
 * the store names its time and id. AES-256-GCM (NIST SP 800-38D) with a random nonce.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

export class CursorSeal {
  private readonly key: Buffer;

  /** @param secret of the run; enforcement points of the same service must share it */
  constructor(secret: string, service: string) {
    this.key = createHash('sha256').update(`items-cursor/${service}/${secret}`).digest();
  }

  seal(cursor: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.key, nonce);
    const sealed = Buffer.concat([cipher.update(cursor, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** @returns undefined for a text that was not sealed here */
  open(text: string): string | undefined {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length <= nonceBytes + tagBytes) return undefined;
    try {
      const decipher = createDecipheriv(algorithm, this.key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }
}
