/** A connection for one query of one caller: the query cannot affect the session of any other. */
import { SqlFailure } from '@topo-bench/columns/sql-source';
import pg from 'pg';
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
    private readonly url: string,
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
    const session = new Session(client, url, limits, text, signal, onEnd);
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

  /** Uses another connection: that of a running query accepts no messages. */
  private abort(): void {
    if (!this.finish()) return;
    const { processID, connection } = this.client as unknown as {
      processID: number;
      connection: { stream: { destroy(): void } };
    };
    connection.stream.destroy();
    void connect(this.url, this.limits)
      .then(async (other) => {
        await other.query('SELECT pg_terminate_backend($1)', [processID]);
        await other.end();
      })
      .catch(() => {});
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

async function connect(url: string, { timeLimitMs, connectTimeoutMs }: SessionLimits): Promise<pg.Client> {
  const settings = {
    timezone: 'UTC',
    datestyle: 'ISO',
    intervalstyle: 'postgres',
    bytea_output: 'hex',
    extra_float_digits: 1,
    default_transaction_read_only: 'on',
    statement_timeout: Math.ceil(timeLimitMs),
  };
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: 'topo-bench Flight SQL',
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  });
  client.on('error', () => {}); // The error reaches the statement in flight.
  await client.connect();
  return client;
}
