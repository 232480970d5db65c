/** Driver `autocannon`: the closed model. Each of c connections waits for its response before it sends again. */
import type { DriverDefinition } from '../driver.ts';

export const autocannonDriver: DriverDefinition = {
  description: 'closed model: a fixed number of connections, each sends again when it has its response',
  parts: ({ processes = 1, connections }) => Math.min(processes, connections),
  keepsTime: true,
  // Default heap sizes: the garbage is autocannon's, and so is the cost of its collection.
  nodeOptions: [],
  shards: () => import('./run-shard.ts'),
};
