/**
 * Encrypted cursors of an enforcement point. A cursor of the store contains the time and id of the last item of a page,
 * which the caller may not be allowed to see. AES-256-GCM (NIST SP 800-38D) with a random nonce.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

export class CursorSeal {
  private readonly key: Buffer;

  /** @param secret of the run; shared by all enforcement points of the service */
  constructor(secret: string, service: string) {
    this.key = createHash('sha256').update(`items-cursor/${service}/${secret}`).digest();
  }

  seal(cursor: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.key, nonce);
    const sealed = Buffer.concat([cipher.update(cursor, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** @returns undefined for a text that was not sealed with this key */
  open(text: string): string | undefined {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length <= nonceBytes + tagBytes) return undefined;
    try {
      const decipher = createDecipheriv(algorithm, this.key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }
}
