/** Apache HBase, through its REST server: heat maps of streams alone. */
import type { Engine } from '../engine.ts';

export const hbase: Engine = {
  product: 'HBase',
  keeps: 'keeps heat maps of streams with `database: hbase`',
  client: 'node:http (REST interface)',
  protocols: { 'hbase:': { defaultPort: 8080 } },
  flag: '--hbase-url',
  heatMap: () => import('./heat-map.ts'),
  typicalPointsPerSecond: 10_000,
  ping: () => import('./ping.ts'),
  server: () => import('./server.ts'),
};
