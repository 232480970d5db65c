/**
 * Keep-alive connections to one peer, each with one request at a time. The most recently freed connection is used
 * first. A new one opens only when none is free, and calls beyond `maxConnections` wait in order. Finding a free
 * connection is O(1), unlike in undici's pool; nested style keeps thousands of connections busy at once.
 */
import { Client, type Dispatcher } from 'undici';

/** A call of the pool. It passes its connection to `release` after its last event. */
export interface PooledCall extends Dispatcher.DispatchHandler {
  readonly options: Dispatcher.DispatchOptions;
  /** True if the call expired while it waited; it is then not sent. */
  readonly settled: boolean;
  connection: Client | undefined;
}

export class ConnectionPool {
  private readonly connections: Client[] = [];
  private readonly free: Client[] = [];
  private waiting: PooledCall[] = [];
  private firstWaiting = 0;
  /** Max number of calls waiting at once since the last reset. */
  queuedMax = 0;
  /** Since the last reset: opened sockets, sent calls, and bytes of their bodies and of the answers. */
  opened = 0;
  sent = 0;
  sentBytes = 0;
  receivedBytes = 0;

  constructor(
    private readonly origin: string,
    private readonly maxConnections: number,
    /** Idle timeout of a connection; the server may request a shorter one. */
    private readonly idleMs = 60_000,
  ) {}

  /** Number of calls waiting for a connection. */
  get queued(): number {
    return this.waiting.length - this.firstWaiting;
  }

  /** Number of open sockets. */
  get open(): number {
    return this.connections.filter((connection) => connection.stats.connected).length;
  }

  send(call: PooledCall): void {
    const connection = this.free.pop() ?? this.add();
    if (connection) {
      this.dispatch(connection, call);
      return;
    }
    this.waiting.push(call);
    if (this.queued > this.queuedMax) this.queuedMax = this.queued;
  }

  resetCounts(): void {
    this.queuedMax = this.queued;
    this.opened = 0;
    this.sent = 0;
    this.sentBytes = 0;
    this.receivedBytes = 0;
  }

  /** Called when a connection has finished its call: dispatches the next call that is still wanted. */
  release(connection: Client): void {
    while (this.firstWaiting < this.waiting.length) {
      const call = this.waiting[this.firstWaiting++] as PooledCall;
      if (call.settled) continue;
      this.dispatch(connection, call);
      return;
    }
    if (this.firstWaiting > 0) {
      this.waiting = [];
      this.firstWaiting = 0;
    }
    this.free.push(connection);
  }

  /** Destroys all connections; open calls fail. */
  async close(): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.destroy()));
  }

  private add(): Client | undefined {
    if (this.connections.length >= this.maxConnections) return undefined;
    // Callers set the deadlines: undici's own timeouts would exclude the time in the queue.
    const connection = new Client(this.origin, {
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: this.idleMs,
    });
    connection.on('connect', () => this.opened++);
    this.connections.push(connection);
    return connection;
  }

  private dispatch(connection: Client, call: PooledCall): void {
    const { body } = call.options;
    this.sent++;
    if (typeof body === 'string') this.sentBytes += Buffer.byteLength(body);
    call.connection = connection;
    connection.dispatch(call.options, call);
  }
}
