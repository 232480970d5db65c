/** Settings, start and end of a `node:http` server: the same under every framework. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunningServer } from './http-port.ts';

// Pending connections at the start of a load; the kernel caps it at somaxconn.
const backlog = 4096;

export interface ConnectionBounds {
  /** Beyond it a connection is closed when it is accepted. Above the largest in-flight cap (8000), below the usual limit of open files. */
  maxConnections: number;
  /** Without a byte in either direction for so long, a connection is closed. Longer than any deadline, and than clients of roles keep one. */
  silentMs: number;
}

export const connectionBounds: ConnectionBounds = { maxConnections: 10_000, silentMs: 600_000 };

/**
 * Starts listening. Between requests connections stay open far longer than clients keep them: no request meets a closing
 * connection.
 */
export async function listen(
  server: Server,
  host: string,
  port: number,
  { maxConnections, silentMs }: ConnectionBounds = connectionBounds,
): Promise<RunningServer> {
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
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
  // A connection becomes idle, and may go, once its open request is answered.
  const sweep = setInterval(() => server.closeIdleConnections(), 10);
  server.closeIdleConnections();
  const force = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(force);
}
