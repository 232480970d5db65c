/** Addresses and ports that servers of this host can listen on: some servers cannot bind to port 0 and report it. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

// Below the range from which systems assign ports (32768 and above): none is assigned between this check and the
// server's start.
const lowest = 20_000;
const count = 12_000;
const attempts = 50;

/**
 * A port without a listener. Another program may still bind to it first.
 * @param random 0 ≤ x < 1
 * @throws Error after too many ports in use
 */
export async function freePort(random: () => number = Math.random): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = lowest + Math.floor(random() * count);
    if (await isFreePort(port)) return port;
  }
  throw new Error(`no free port: tried ${attempts} between ${lowest} and ${lowest + count}`);
}

/** Whether no server listens there, on any address. */
export function isFreePort(port: number): Promise<boolean> {
  return canListen(port);
}

/**
 * Whether an address belongs to this host, such as the gateway of an engine's network. The list of interfaces lacks
 * bridges without running containers.
 */
export function isOwnAddress(address: string): Promise<boolean> {
  return canListen(0, address);
}

/** Whether a server accepts a connection there within that time. */
export function acceptsConnections(host: string, port: number, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (accepted: boolean) => (): void => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once('connect', end(true)).once('timeout', end(false)).once('error', end(false));
  });
}

/** @param address default: all addresses of this host */
async function canListen(port: number, address?: string): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, address);
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
