/**
 * Connections to one server: one request at a time on each, taken from a stack of idle ones. When all are busy a new one
 * is opened at once, so that no request waits for another's response: that wait would be coordinated omission.
 */
import type { Socket } from 'node:net';
import { TopoBenchError } from '@topo-bench/core';
import { buildConnector, Client } from 'undici';

export class Connections {
  readonly #target: URL;
  readonly #connect = buildConnector({ timeout: 0 });
  readonly #idle: Client[] = [];
  readonly #all = new Set<Client>();
  /** Sockets opened ahead, waiting for the first request of a client. */
  readonly #opened: Socket[] = [];

  constructor(target: URL) {
    this.#target = target;
  }

  /**
   * Opens connections before the load, so that its first requests do not pay for the handshakes.
   * @throws TopoBenchError `TB_LOAD_UNREACHABLE` when the server accepts none
   */
  async open(count: number): Promise<void> {
    const opened = await Promise.allSettled(Array.from({ length: count }, () => this.#openSocket()));
    const sockets = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    if (sockets.length === 0 && count > 0) {
      const cause: unknown = opened.find((result) => result.status === 'rejected')?.reason;
      throw new TopoBenchError('TB_LOAD_UNREACHABLE', `cannot connect to ${this.#target.origin}: ${String(cause)}`, {
        hint: 'start the server, or correct host and port of the URL',
        cause,
      });
    }
    this.#opened.push(...sockets);
    for (const _ of sockets) this.#idle.push(this.#newClient());
  }

  /** A client without a request on it. */
  take(): Client {
    return this.#idle.pop() ?? this.#newClient();
  }

  /** Last in, first out: few connections stay busy, and the others are closed when idle for long. */
  give(client: Client): void {
    this.#idle.push(client);
  }

  /** Ends all connections, with whatever is still open on them. */
  async destroy(): Promise<void> {
    for (const socket of this.#opened) socket.destroy();
    await Promise.all([...this.#all].map((client) => client.destroy()));
  }

  #newClient(): Client {
    const client = new Client(this.#target.origin, {
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (options, callback) => {
        const socket = this.#takeOpened();
        // Not synchronously: the client is in the middle of asking for it.
        if (socket) process.nextTick(callback, null, socket);
        else this.#connect(options, callback);
      },
    });
    this.#all.add(client);
    return client;
  }

  #takeOpened(): Socket | undefined {
    let socket = this.#opened.pop();
    while (socket?.destroyed) socket = this.#opened.pop();
    return socket;
  }

  #openSocket(): Promise<Socket> {
    const { hostname, host, protocol, port } = this.#target;
    return new Promise((resolve, reject) => {
      this.#connect({ hostname: hostname.replace(/^\[|\]$/g, ''), host, protocol, port }, (error, socket) =>
        error ? reject(error) : resolve(socket),
      );
    });
  }
}
