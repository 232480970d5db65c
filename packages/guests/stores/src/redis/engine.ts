/** Redis and Valkey. */
import type { Engine } from '../engine.ts';
import { accessFile } from '../servers/engine-image.ts';

export const redis: Engine = {
  product: 'Redis',
  keeps: 'keeps keys with values (key-value)',
  client: '@redis/client',
  protocols: { 'redis:': { defaultPort: 6379 }, 'rediss:': { defaultPort: 6379 } },
  flag: '--redis-url',
  image: {
    example: 'redis:7',
    port: 6379,
    readyTimeoutMs: 30_000,
    // The image has no variable for a password.
    access: (password) => ({
      env: {},
      command: ['redis-server', accessFile],
      file: `requirepass ${password}\n`,
    }),
    url: (host, port, password) => `redis://:${password}@${host}:${port}`,
  },
  items: {
    storeUrl: (url, live) => `${url}#${live}`,
    store: () => import('./store.ts'),
    prepare: () => import('./prepare.ts'),
  },
  heatMap: () => import('./heat-map.ts'),
  typicalPointsPerSecond: 500_000,
  ping: () => import('./ping.ts'),
  server: () => import('./server.ts'),
};
