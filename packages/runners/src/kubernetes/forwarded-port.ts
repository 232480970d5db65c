/** A port of this machine for the gateway. It is bound before the gateway exists, and refuses clients until then. */
import { once } from 'node:events';
import net from 'node:net';
import { TopoBenchError } from '@topo-bench/core';

const loopback = '127.0.0.1';

export class ForwardedPort {
  readonly #server: net.Server;
  readonly #clients = new Set<net.Socket>();
  #forward: ((client: net.Socket) => void) | undefined;

  private constructor() {
    this.#server = net.createServer({ allowHalfOpen: false }, (client) => {
      // A client that goes away is no fault of the forwarding.
      client.on('error', () => client.destroy());
      if (!this.#forward) {
        client.destroy();
        return;
      }
      this.#clients.add(client);
      client.on('close', () => this.#clients.delete(client));
      this.#forward(client);
    });
  }

  /**
   * @param port 0 for a free one
   * @throws TopoBenchError `TB_ROLE_PORT_TAKEN`, also where the user may not listen on the port
   */
  static async open(port: number): Promise<ForwardedPort> {
    const forwarded = new ForwardedPort();
    forwarded.#server.listen(port, loopback);
    await once(forwarded.#server, 'listening').catch((cause: NodeJS.ErrnoException) => {
      throw portError(port, cause);
    });
    return forwarded;
  }

  get url(): string {
    const { port } = this.#server.address() as net.AddressInfo;
    return `http://${loopback}:${port}`;
  }

  /** @param forward called with each client from now on */
  forward(forward: (client: net.Socket) => void): void {
    this.#forward = forward;
  }

  /** Ends all connections. May be called again. */
  close(): void {
    this.#server.close();
    for (const client of this.#clients) client.destroy();
  }
}

function portError(port: number, cause: NodeJS.ErrnoException): TopoBenchError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'it is taken',
    EACCES: 'not permitted for this user',
  };
  const message = `cannot forward port ${port} of ${loopback}: ${reasons[cause.code ?? ''] ?? cause.message}`;
  const hint = 'name another one with --port, or leave it out';
  return new TopoBenchError('TB_ROLE_PORT_TAKEN', message, { hint, cause });
}
