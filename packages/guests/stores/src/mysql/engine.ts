/** MariaDB and MySQL. */
import type { Engine } from '../engine.ts';
import { accessFile } from '../servers/engine-image.ts';
import { withDatabase } from '../with-database.ts';

export const mysql: Engine = {
  product: 'MariaDB or MySQL',
  keeps: 'keeps tables with `engine: mysql`',
  client: 'mysql2',
  protocols: { 'mysql:': { defaultPort: 3306 }, 'mariadb:': { defaultPort: 3306 } },
  flag: '--mariadb-url',
  image: {
    example: 'mariadb:11',
    port: 3306,
    // The image of MySQL creates its data in half a minute.
    readyTimeoutMs: 120_000,
    access: (password) => ({
      // Each of the two images reads its own variable.
      env: { MARIADB_ROOT_PASSWORD_FILE: accessFile, MYSQL_ROOT_PASSWORD_FILE: accessFile },
      file: password,
    }),
    url: (host, port, password) => `mysql://root:${password}@${host}:${port}/`,
  },
  items: {
    storeUrl: withDatabase,
    store: () => import('./store.ts'),
    prepare: () => import('./prepare.ts'),
  },
  heatMap: () => import('./heat-map.ts'),
  typicalPointsPerSecond: 250_000,
  ping: () => import('./ping.ts'),
  server: () => import('./server.ts'),
};
