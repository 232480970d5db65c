/**
 * Connections to one server, each with one request at a time; idle ones are used in rotation. When all are busy, a new
 * one is opened at once: waiting for another request's response would be coordinated omission.
 */
import { type ConnectionCounts, systemErrorText, TopoBenchError } from '@topo-bench/core';
import { type ConnectionOptions, HttpConnection } from './http-connection.ts';
import { tlsProblem } from './tls-problem.ts';

export class Connections {
  readonly #target: URL;
  /** Idle connections in order of last use. */
  readonly #idle = new Set<HttpConnection>();
  readonly #all = new Set<HttpConnection>();

  #opened = 0;
  #onDemand = 0;

  constructor(
    target: URL,
    private readonly options?: ConnectionOptions,
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
    for (const [i, connection] of connections.entries())
      if (opened[i]?.status === 'fulfilled') this.#idle.add(connection);
    if (this.#idle.size > 0) return;
    const cause: unknown = opened.find((result) => result.status === 'rejected')?.reason;
    const problem = tlsProblem(cause);
    throw new TopoBenchError(
      'TB_LOAD_UNREACHABLE',
      `cannot connect to ${this.#target.origin}: ${problem?.text ?? systemErrorText(cause)}`,
      {
        hint: problem?.hint ?? 'start the server, or correct host and port of the URL',
        cause,
      },
    );
  }

  /**
   * Takes the least recently used connection. With the most recently used one, the connections opened by a burst would
   * stay idle. The server would close them all at once: a stall of several ms, in generator and server, 5 s after each
   * burst.
   */
  take(): HttpConnection {
    const nowMs = performance.now();
    for (const connection of this.#idle) {
      this.#idle.delete(connection);
      if (connection.isUsable(nowMs)) return connection;
      this.#all.delete(connection);
      connection.destroy();
    }
    this.#onDemand++;
    return this.#connect();
  }

  give(connection: HttpConnection): void {
    if (connection.isUsable(performance.now())) this.#idle.add(connection);
    else this.#all.delete(connection);
  }

  /** Closes all connections; listeners of requests in flight are not called. */
  destroy(): void {
    for (const connection of this.#all) connection.destroy();
    this.#all.clear();
  }

  get counts(): ConnectionCounts {
    return { opened: this.#opened, onDemand: this.#onDemand };
  }

  #connect(): HttpConnection {
    this.#opened++;
    const connection = new HttpConnection(this.#target, this.options);
    this.#all.add(connection);
    return connection;
  }
}
