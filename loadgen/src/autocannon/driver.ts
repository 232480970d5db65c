/** Driver `autocannon`: the closed model, c connections that each wait for their response before they send again. */
import type { DriverDefinition } from '../driver.ts';

export const autocannonDriver: DriverDefinition = {
  description: 'closed model: a fixed number of connections, each sends again when it has its response',
  parts: ({ processes = 1, connections }) => Math.min(processes, connections),
  keepsTime: true,
  // Garbage of others' code is collected in the space that V8 assigns.
  nodeOptions: [],
  shards: () => import('./run-shard.ts'),
};
