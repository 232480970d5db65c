/** MariaDB and MySQL. */
import type { Engine } from '../engine.ts';

export const mysql: Engine = {
  product: 'MariaDB or MySQL',
  keeps: 'keeps tables with `engine: mysql`',
  protocols: { 'mysql:': { defaultPort: 3306 }, 'mariadb:': { defaultPort: 3306 } },
  flag: '--mariadb-url',
  store: () => import('./store.ts'),
  prepare: () => import('./prepare.ts'),
  ping: () => import('./ping.ts'),
  server: () => import('./server.ts'),
};
