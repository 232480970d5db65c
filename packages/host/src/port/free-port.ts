/** Ports for servers that cannot bind to port 0 and report the assigned one. */
import { once } from 'node:events';
import { createServer } from 'node:net';

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
export async function isFreePort(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port);
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
