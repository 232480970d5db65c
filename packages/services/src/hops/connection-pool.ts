/**
 * Keep-alive connections to one peer, each with one request at a time. The connection that became free last is used
 * next, a new one is opened only when none is free, and calls beyond the most connections wait in order. Unlike undici's
 * own pool it finds a free connection in O(1), which counts in nested style, where thousands are held at once.
 */
import { Client, type Dispatcher } from 'undici';

/** A call as the pool holds it. It hands its connection to `release` after its last event. */
export interface PooledCall extends Dispatcher.DispatchHandler {
  readonly options: Dispatcher.DispatchOptions;
  /** True when it was given up while it waited: it is not sent. */
  readonly settled: boolean;
  connection: Client | undefined;
}

export class ConnectionPool {
  private readonly connections: Client[] = [];
  private readonly free: Client[] = [];
  private waiting: PooledCall[] = [];
  private firstWaiting = 0;
  /** Most calls that waited at once since it was last set to 0. */
  queuedMax = 0;

  constructor(
    private readonly origin: string,
    private readonly maxConnections: number,
    /** An idle connection is closed after this long, or earlier when the server says so. */
    private readonly idleMs = 60_000,
  ) {}

  /** Calls that wait for a connection. */
  get queued(): number {
    return this.waiting.length - this.firstWaiting;
  }

  /** Sockets that are open. */
  get open(): number {
    return this.connections.filter((connection) => connection.stats.connected).length;
  }

  send(call: PooledCall): void {
    const connection = this.free.pop() ?? this.add();
    if (connection) {
      dispatch(connection, call);
      return;
    }
    this.waiting.push(call);
    if (this.queued > this.queuedMax) this.queuedMax = this.queued;
  }

  /** A connection has finished its call and takes the next that is still wanted. */
  release(connection: Client): void {
    while (this.firstWaiting < this.waiting.length) {
      const call = this.waiting[this.firstWaiting++] as PooledCall;
      if (call.settled) continue;
      dispatch(connection, call);
      return;
    }
    if (this.firstWaiting > 0) {
      this.waiting = [];
      this.firstWaiting = 0;
    }
    this.free.push(connection);
  }

  /** Ends all connections at once; open calls fail. */
  async close(): Promise<void> {
    await Promise.all(this.connections.map((connection) => connection.destroy()));
  }

  private add(): Client | undefined {
    if (this.connections.length >= this.maxConnections) return undefined;
    // Deadlines are the caller's: undici's own would leave out the time that a call waits for its turn.
    const connection = new Client(this.origin, {
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: this.idleMs,
    });
    this.connections.push(connection);
    return connection;
  }
}

function dispatch(connection: Client, call: PooledCall): void {
  call.connection = connection;
  connection.dispatch(call.options, call);
}
