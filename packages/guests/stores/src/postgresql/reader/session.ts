/** A connection for one query of one caller: the query cannot affect the session of any other. */
import type { Duplex } from 'node:stream';
import { SqlFailure } from '@topo-bench/columns/sql-source';
import pg from 'pg';
import { beginWith } from '../session-settings.ts';
import { cancelRequest } from './cancel-request.ts';
import { queryFailure } from './query-failure.ts';
import { Statement } from './statement.ts';

export interface SessionLimits {
  /** Timeout of a query, from its start to its last row. */
  timeLimitMs: number;
  connectTimeoutMs: number;
}

/** The server's own timeout fires first and has a better message; ours also covers queries that disable it. */
const graceMs = 500;

export class Session {
  readonly statement: Statement;
  private readonly timer: NodeJS.Timeout;
  private isOver = false;

  private constructor(
    private readonly client: pg.Client,
    private readonly limits: SessionLimits,
    text: string,
    private readonly signal: AbortSignal,
    private readonly onEnd: () => void,
  ) {
    this.statement = new Statement(client, text, () => this.abort());
    const timeout = new SqlFailure('timeout', `the query took longer than ${limits.timeLimitMs} ms`);
    this.timer = setTimeout(() => this.fail(timeout), limits.timeLimitMs + graceMs);
    signal.addEventListener('abort', this.cancel, { once: true });
  }

  /** @param onEnd called once, when the session has been closed or aborted @throws SqlFailure */
  static async open(
    url: string,
    limits: SessionLimits,
    text: string,
    signal: AbortSignal,
    onEnd: () => void,
  ): Promise<Session> {
    const client = await connect(url, limits).catch((error: unknown) => {
      onEnd();
      throw queryFailure(error, text);
    });
    const session = new Session(client, limits, text, signal, onEnd);
    if (signal.aborted) session.cancel();
    return session;
  }

  /** Closes the connection; a running query is terminated in the database too. */
  end(): void {
    if (this.statement.isRunning) this.abort();
    else if (this.finish()) this.client.end().catch(() => {});
  }

  private readonly cancel = (): void =>
    this.fail(new SqlFailure('cancelled', 'the caller cancelled the query or disconnected'));

  private fail(failure: SqlFailure): void {
    this.statement.fail(failure);
    this.abort();
  }

  private abort(): void {
    if (!this.finish()) return;
    const { stream } = (this.client as unknown as { connection: { stream: Duplex } }).connection;
    // A pooler forgets the query of a closed connection: the request comes first.
    stream.pause();
    void cancelRequest(this.client, this.limits.connectTimeoutMs).then(() => stream.destroy());
  }

  private finish(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    clearTimeout(this.timer);
    this.signal.removeEventListener('abort', this.cancel);
    this.onEnd();
    return true;
  }
}

/**
 * The settings are those of a transaction, and verified: poolers refuse or drop those of the start-up packet, and
 * change the server between transactions.
 */
async function connect(url: string, { timeLimitMs, connectTimeoutMs }: SessionLimits): Promise<pg.Client> {
  const settings = {
    timezone: 'UTC',
    datestyle: 'ISO',
    intervalstyle: 'postgres',
    bytea_output: 'hex',
    extra_float_digits: 1,
    transaction_read_only: 'on',
    statement_timeout: Math.ceil(timeLimitMs),
  };
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: 'topo-bench Flight SQL',
  });
  client.on('error', () => {}); // The error reaches the statement in flight.
  await client.connect();
  try {
    await beginWith(client, settings, 'BEGIN READ ONLY');
    return client;
  } catch (error) {
    client.end().catch(() => {});
    throw error;
  }
}
