/** PostgreSQL, embedded or on your own server. */
import type { Engine } from '../engine.ts';

export const postgresql: Engine = {
  product: 'PostgreSQL',
  keeps: 'keeps tables and hybrids (sql-*, hybrid-*)',
  protocols: { 'postgresql:': { defaultPort: 5432 }, 'postgres:': { defaultPort: 5432 } },
  flag: '--postgres-url',
  store: () => import('./store.ts'),
  prepare: () => import('./prepare.ts'),
  ping: () => import('./ping.ts'),
  server: () => import('./server.ts'),
};
