/** The HTTP port on bare `node:http`. */
import type { RunningServer, ServerOptions } from '../http-port.ts';
import { plainRoutes, refuseUnknown } from '../plain-routes.ts';
import { createRoleServer, listen } from '../server-lifecycle.ts';

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { routes, control = [] } = options;
  return listen(createRoleServer(plainRoutes([...control, ...routes], refuseUnknown), options), options);
}
