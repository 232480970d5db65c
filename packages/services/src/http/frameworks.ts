/** The registry of HTTP frameworks by name. A role loads only its own framework. */
import type { Framework } from '@topo-bench/core/schema/topology';
import type { StartServer } from './http-port.ts';

export const frameworks: Readonly<Record<Framework, () => Promise<{ startServer: StartServer }>>> = {
  fastify: () => import('./fastify/server.ts'),
  express: () => import('./express/server.ts'),
  node: () => import('./node/server.ts'),
};
