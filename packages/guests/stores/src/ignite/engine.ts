/** Apache Ignite 2: heat maps of streams alone. */
import type { Engine } from '../engine.ts';

export const ignite: Engine = {
  product: 'Ignite',
  keeps: 'keeps heat maps of streams with `database: ignite`',
  client: 'apache-ignite-client',
  protocols: { 'ignite:': { defaultPort: 10800 } },
  flag: '--ignite-url',
  image: {
    example: 'apacheignite/ignite:2.17.0',
    port: 10_800,
    readyTimeoutMs: 120_000,
    // Passwords need a cluster that stores data on disk; this one accepts every client of the published port.
    access: () => ({ env: { JVM_OPTS: '-Xms256m -Xmx512m' }, file: '' }),
    url: (host, port) => `ignite://${host}:${port}/`,
  },
  heatMap: () => import('./heat-map.ts'),
  typicalPointsPerSecond: 10_000,
  ping: () => import('./ping.ts'),
  server: () => import('./server.ts'),
};
