/** Redis and Valkey through Jedis. */
import { loginBeforeHost, withHost } from './connection-string.ts';
import type { FlinkDatabase } from './database.ts';

export const redis: FlinkDatabase = {
  addressOf(url) {
    const { protocol, hostname, port, pathname, hash } = withHost(url);
    return `${protocol}//${hostname}:${port || 6379}${pathname}${hash}`;
  },
  loginOf: loginBeforeHost,
};
