/** Apache Cassandra: heat maps of streams alone. */
import type { Engine } from '../engine.ts';

export const cassandra: Engine = {
  product: 'Cassandra',
  keeps: 'keeps heat maps of streams with `database: cassandra`',
  client: 'cassandra-driver',
  protocols: { 'cassandra:': { defaultPort: 9042 } },
  flag: '--cassandra-url',
  image: {
    example: 'cassandra:5',
    port: 9042,
    readyTimeoutMs: 120_000,
    // The image has no variable for a password; its server accepts every client that reaches the published port.
    access: () => ({ env: { MAX_HEAP_SIZE: '512M', HEAP_NEWSIZE: '128M' }, file: '' }),
    url: (host, port) => `cassandra://${host}:${port}/`,
  },
  heatMap: () => import('./heat-map.ts'),
  typicalPointsPerSecond: 15_000,
  ping: () => import('./ping.ts'),
  server: () => import('./server.ts'),
};
