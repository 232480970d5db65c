/**
 * Connections to one server: one request at a time on each, taken from a stack of idle ones. When all are busy a new one
 * is opened at once, so that no request waits for another's response: that wait would be coordinated omission.
 */
import { TopoBenchError } from '@topo-bench/core';
import { HttpConnection } from './http-connection.ts';

export class Connections {
  readonly #target: URL;
  readonly #idle: HttpConnection[] = [];
  readonly #all = new Set<HttpConnection>();

  constructor(target: URL) {
    this.#target = target;
  }

  /**
   * Opens connections before the load, so that its first requests do not pay for the handshakes.
   * @throws TopoBenchError `TB_LOAD_UNREACHABLE` when the server accepts none
   */
  async open(count: number): Promise<void> {
    const connections = Array.from({ length: count }, () => this.#connect());
    const opened = await Promise.allSettled(connections.map((connection) => connection.opened()));
    this.#idle.push(...connections.filter((_, i) => opened[i]?.status === 'fulfilled'));
    if (this.#idle.length > 0) return;
    const cause: unknown = opened.find((result) => result.status === 'rejected')?.reason;
    throw new TopoBenchError('TB_LOAD_UNREACHABLE', `cannot connect to ${this.#target.origin}: ${String(cause)}`, {
      hint: 'start the server, or correct host and port of the URL',
      cause,
    });
  }

  /** A connection without a request on it: the one used last, so that few stay busy and the others may time out. */
  take(): HttpConnection {
    const nowMs = performance.now();
    for (let connection = this.#idle.pop(); connection; connection = this.#idle.pop()) {
      if (connection.isUsable(nowMs)) return connection;
      this.#all.delete(connection);
      connection.destroy();
    }
    return this.#connect();
  }

  give(connection: HttpConnection): void {
    if (connection.isUsable(performance.now())) this.#idle.push(connection);
    else this.#all.delete(connection);
  }

  /** Ends all connections; requests still on them are told nothing. */
  destroy(): void {
    for (const connection of this.#all) connection.destroy();
    this.#all.clear();
  }

  #connect(): HttpConnection {
    const connection = new HttpConnection(this.#target);
    this.#all.add(connection);
    return connection;
  }
}
