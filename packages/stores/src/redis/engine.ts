/** Redis and Valkey. */
import type { Engine } from '../engine.ts';

export const redis: Engine = {
  product: 'Redis',
  keeps: 'keeps keys with values (key-value)',
  protocols: { 'redis:': { defaultPort: 6379 }, 'rediss:': { defaultPort: 6379 } },
  flag: '--redis-url',
  store: () => import('./store.ts'),
  prepare: () => import('./prepare.ts'),
  ping: () => import('./ping.ts'),
  server: () => import('./server.ts'),
};
