/**
 * Connections to one server: one request at a time on each, idle ones taken in turn. When all are busy a new one is opened at once, so
 * that no request waits for another's response: that wait would be coordinated omission.
 */
import { TopoBenchError } from '@topo-bench/core';
import { HttpConnection } from './http-connection.ts';

export class Connections {
  readonly #target: URL;
  /** In order of last use. */
  readonly #idle = new Set<HttpConnection>();
  readonly #all = new Set<HttpConnection>();

  /** @param wantedHeader name of the header that responses are asked for; default: the reported RTT */
  constructor(
    target: URL,
    private readonly wantedHeader?: string,
  ) {
    this.#target = target;
  }

  /**
   * Opens connections before the load, so that its first requests do not pay for the handshakes.
   * @throws TopoBenchError `TB_LOAD_UNREACHABLE` when the server accepts none
   */
  async open(count: number): Promise<void> {
    const connections = Array.from({ length: count }, () => this.#connect());
    const opened = await Promise.allSettled(connections.map((connection) => connection.opened()));
    for (const [i, connection] of connections.entries()) if (opened[i]?.status === 'fulfilled') this.#idle.add(connection);
    if (this.#idle.size > 0) return;
    const cause: unknown = opened.find((result) => result.status === 'rejected')?.reason;
    throw new TopoBenchError('TB_LOAD_UNREACHABLE', `cannot connect to ${this.#target.origin}: ${String(cause)}`, {
      hint: 'start the server, or correct host and port of the URL',
      cause,
    });
  }

  /**
   * The connection that has been idle longest. Were it the one used last, those that a burst had opened would stay idle, until the server
   * closed all of them at once: a stall of several ms, in generator and server, 5 s after each burst.
   */
  take(): HttpConnection {
    const nowMs = performance.now();
    for (const connection of this.#idle) {
      this.#idle.delete(connection);
      if (connection.isUsable(nowMs)) return connection;
      this.#all.delete(connection);
      connection.destroy();
    }
    return this.#connect();
  }

  give(connection: HttpConnection): void {
    if (connection.isUsable(performance.now())) this.#idle.add(connection);
    else this.#all.delete(connection);
  }

  /** Ends all connections; requests still on them are told nothing. */
  destroy(): void {
    for (const connection of this.#all) connection.destroy();
    this.#all.clear();
  }

  #connect(): HttpConnection {
    const connection = new HttpConnection(this.#target, this.wantedHeader);
    this.#all.add(connection);
    return connection;
  }
}
