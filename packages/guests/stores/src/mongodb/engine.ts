/** Servers with the MongoDB protocol. Addresses by DNS (`mongodb+srv:`) have no port. */
import type { Engine } from '../engine.ts';
import { accessFile } from '../servers/engine-image.ts';
import { withMongoDatabase } from '../with-database.ts';

const user = 'topo-bench';

export const mongodb: Engine = {
  product: 'MongoDB-protocol',
  keeps: 'keeps documents (document)',
  client: 'mongodb',
  protocols: { 'mongodb:': { defaultPort: 27017 }, 'mongodb+srv:': {} },
  flag: '--mongodb-url',
  image: {
    example: 'mongo:8',
    // Those of MongoDB itself start a server outside a replica set.
    withoutTransactions: /(^|\/)(mongo|mongodb-(community|enterprise)-server)([:@]|$)/,
    port: 27017,
    readyTimeoutMs: 60_000,
    access: (password) => ({
      env: { MONGO_INITDB_ROOT_USERNAME: user, MONGO_INITDB_ROOT_PASSWORD_FILE: accessFile },
      file: password,
    }),
    url: (host, port, password) => `mongodb://${user}:${password}@${host}:${port}/?authSource=admin`,
  },
  items: {
    storeUrl: withMongoDatabase,
    store: () => import('./store.ts'),
    prepare: () => import('./prepare.ts'),
  },
  heatMap: () => import('./heat-map.ts'),
  typicalPointsPerSecond: 5000,
  ping: () => import('./ping.ts'),
  server: () => import('./server.ts'),
};
