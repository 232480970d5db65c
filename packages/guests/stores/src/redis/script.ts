/** A Lua script on a server, called by its digest. */
import { createHash } from 'node:crypto';
import type { RedisConnection } from './driver.ts';

export class Script {
  private readonly digest: string;

  constructor(private readonly text: string) {
    this.digest = createHash('sha1').update(text).digest('hex');
  }

  /**
   * Sends the script's text only to a server without it.
   * @param words number of keys, the keys, the arguments
   */
  async run(client: RedisConnection, words: readonly string[]): Promise<unknown> {
    try {
      return await client.sendCommand(['EVALSHA', this.digest, ...words]);
    } catch (error) {
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
      return await client.sendCommand(['EVAL', this.text, ...words]);
    }
  }
}
