/** Stands between a service and its store, and can do what networks and dying servers do. */
import { createServer, type Server, type Socket } from 'node:net';

export interface StoreProxy {
  port: number;
  /** Takes what comes and passes on nothing. */
  silence(): void;
  /** Ends every connection and refuses new ones. */
  cut(): void;
  restore(): void;
  stop(): Promise<void>;
}

export async function startProxy(target: number): Promise<StoreProxy> {
  const sockets = new Set<Socket>();
  let state: 'open' | 'silent' | 'cut' = 'open';
  const server: Server = createServer((client) => {
    if (state === 'cut') {
      client.destroy();
      return;
    }
    const upstream = new (client.constructor as typeof Socket)();
    upstream.connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
        sockets.delete(socket);
      });
    }
    client.on('data', (data) => void (state === 'open' && upstream.write(data)));
    upstream.on('data', (data) => void (state === 'open' && client.write(data)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    silence: () => {
      state = 'silent';
    },
    cut: () => {
      state = 'cut';
      endAll();
    },
    restore: () => {
      state = 'open';
    },
    stop: async () => {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
