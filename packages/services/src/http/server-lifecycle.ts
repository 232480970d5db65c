/** Settings, start and close of a `node:http` server, shared by all frameworks. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopback } from '@topo-bench/core';
import { HostCheck } from './host-check.ts';
import type { ConnectionBounds, RunningServer, ServerOptions } from './http-port.ts';
import { refuse } from './plain-routes.ts';
import { UnfinishedBodies } from './unfinished-bodies.ts';

// Pending connections at the start of a load. The kernel caps this at somaxconn.
const backlog = 4096;

export const connectionBounds: ConnectionBounds = {
  maxConnections: 10_000,
  silentMs: 600_000,
  receptionMs: 60_000,
  checkMs: 10_000,
  bodyBytes: 256 * 1024 ** 2,
};

/**
 * A server that limits how its clients send requests. How long an answer takes has no limit here. On loopback, or
 * published there, it serves no web pages of other sites.
 */
export function createRoleServer(
  listener: RequestListener,
  { host, published, bounds: { checkMs, bodyBytes } = connectionBounds }: Omit<ServerOptions, 'routes'>,
): Server {
  const bodies = new UnfinishedBodies(bodyBytes);
  let hosts: HostCheck | undefined;
  const server = createServer({ connectionsCheckingInterval: checkMs }, (request, response) => {
    const problem = hosts?.problemOf(request.headers);
    if (problem) {
      refuse(response, problem, { connection: 'close' });
      return;
    }
    bodies.watch(request, response);
    listener(request, response);
  });
  return server.once('listening', () => {
    const isOnLoopback = isLoopback((server.address() as AddressInfo).address);
    if (isOnLoopback || published === 'loopback') hosts = new HostCheck(host, published);
  });
}

/**
 * Starts listening. Idle connections stay open far longer on the server than on clients: no request meets a closing
 * connection.
 */
export async function listen(
  server: Server,
  { host, port, bounds = connectionBounds }: Omit<ServerOptions, 'routes'>,
): Promise<RunningServer> {
  const { maxConnections, silentMs, receptionMs } = bounds;
  server.keepAliveTimeout = 0;
  server.requestTimeout = receptionMs;
  // Node.js swaps the two where this one is longer.
  server.headersTimeout = receptionMs;
  server.maxConnections = maxConnections;
  server.timeout = silentMs;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).once('listening', () => {
      server.removeListener('error', reject);
      resolve();
    });
    server.listen({ host, port, backlog });
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    close: (graceMs) => close(server, graceMs),
  };
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // A connection becomes idle, and closable, once its open request is answered.
  const sweep = setInterval(() => server.closeIdleConnections(), 10);
  server.closeIdleConnections();
  const force = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(force);
}
