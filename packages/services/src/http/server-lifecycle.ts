/** Settings, start and end of a `node:http` server: the same under every framework. */
import type { Server } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import type { RunningServer } from './http-port.ts';

// More connections than this may knock at once when a load begins; the system caps it.
const backlog = 4096;
const loopback = '127.0.0.1';

/** Listens, and never closes a connection for being idle: hop clients decide when theirs end, so no request meets a closing one. */
export async function listen(server: Server, host: string, port: number): Promise<RunningServer> {
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).once('listening', () => {
      server.removeListener('error', reject);
      resolve();
    });
    bind(server, host, port);
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    close: (graceMs) => close(server, graceMs),
  };
}

/** Older than `listen`, and what that calls in the end; Node.js keeps it for old programs. */
interface BindsDirectly {
  _listen2?(address: string, port: number, family: number, backlog: number, descriptor: undefined, flags: number): void;
}

/** Before it binds, `listen` loads Node.js's modules for host names and clusters: 2 ms of a start, and an address needs neither. */
function bind(server: Server & BindsDirectly, host: string, port: number): void {
  // Node.js tells addresses from names by expressions that take longer to compile than the address to bind.
  const family = host === loopback ? 4 : isIP(host);
  if (family > 0 && server._listen2) server._listen2(host, port, family, backlog, undefined, 0);
  else server.listen({ host, port, backlog });
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // A connection becomes idle, and may go, once its open request is answered.
  const sweep = setInterval(() => server.closeIdleConnections(), 10);
  server.closeIdleConnections();
  const force = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(force);
}
