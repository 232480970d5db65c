/** The HTTP port on bare `node:http`. */
import { createServer } from 'node:http';
import type { RunningServer, ServerOptions } from '../http-port.ts';
import { plainRoutes, refuseUnknown } from '../plain-routes.ts';
import { listen } from '../server-lifecycle.ts';

export async function startServer({ host, port, routes, control = [] }: ServerOptions): Promise<RunningServer> {
  return listen(createServer(plainRoutes([...control, ...routes], refuseUnknown)), host, port);
}
