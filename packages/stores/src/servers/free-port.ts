/** A port that nothing listens on, for servers that cannot be asked for one themselves. */
import { createServer } from 'node:net';

/** Another program may take it before the server does; who starts a server must be ready to try again. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
