/** Servers with the MongoDB protocol. Addresses by DNS (`mongodb+srv:`) have no port. */
import type { Engine } from '../engine.ts';

export const mongodb: Engine = {
  product: 'MongoDB-protocol',
  keeps: 'keeps documents (document)',
  protocols: { 'mongodb:': { defaultPort: 27017 }, 'mongodb+srv:': {} },
  flag: '--mongodb-url',
  store: () => import('./store.ts'),
  prepare: () => import('./prepare.ts'),
  ping: () => import('./ping.ts'),
  server: () => import('./server.ts'),
};
