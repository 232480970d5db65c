/**
 * A port for a command that takes no "any free port": below the range that systems deal out by themselves (32768 and above), so that nobody is
 * given it between our look and the start of the command.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';

const lowest = 20_000;
const count = 12_000;
const attempts = 50;

/** @throws Error when none of many is free */
export async function freePort(random: () => number = Math.random): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = lowest + Math.floor(random() * count);
    if (await isFree(port)) return port;
  }
  throw new Error(`none of ${attempts} ports between ${lowest} and ${lowest + count} is free`);
}

/** Whether nothing listens there, on any address. */
export async function isFree(port: number): Promise<boolean> {
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
