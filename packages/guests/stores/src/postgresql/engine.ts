/** PostgreSQL, embedded or on your own server. */
import type { Engine } from '../engine.ts';
import { accessFile } from '../servers/engine-image.ts';
import { withDatabase } from '../with-database.ts';

const user = 'postgres';

export const postgresql: Engine = {
  product: 'PostgreSQL',
  keeps: 'keeps tables and hybrids (sql-*, hybrid-*)',
  client: 'pg',
  protocols: { 'postgresql:': { defaultPort: 5432 }, 'postgres:': { defaultPort: 5432 } },
  flag: '--postgres-url',
  image: {
    example: 'postgres:17',
    port: 5432,
    readyTimeoutMs: 60_000,
    access: (password) => ({
      env: { POSTGRES_USER: user, POSTGRES_DB: user, POSTGRES_PASSWORD_FILE: accessFile },
      file: password,
    }),
    url: (host, port, password) => `postgresql://${user}:${password}@${host}:${port}/${user}`,
  },
  items: {
    storeUrl: withDatabase,
    store: () => import('./store.ts'),
    prepare: () => import('./prepare.ts'),
  },
  heatMap: () => import('./heat-map.ts'),
  typicalPointsPerSecond: 300_000,
  ping: () => import('./ping.ts'),
  server: () => import('./server.ts'),
};
