/** The HTTP port on bare `node:http`. */
import type { RunningServer, ServerOptions } from '../http-port.ts';
import { plainRoutes, refuseUnknown } from '../plain-routes.ts';
import { createRoleServer, listen } from '../server-lifecycle.ts';

export async function startServer({ host, port, routes, control = [], bounds }: ServerOptions): Promise<RunningServer> {
  return listen(
    createRoleServer(plainRoutes([...control, ...routes], refuseUnknown), { host, ...(bounds && { bounds }) }),
    host,
    port,
    bounds,
  );
}
