/** A connection for one query of one caller: whatever the query does to its session, no other meets it. */
import { SqlFailure } from '@topo-bench/columns/sql-source';
import pg from 'pg';
import { queryFailure } from './query-failure.ts';
import { Statement } from './statement.ts';

export interface SessionLimits {
  /** For a query from its start to its last row. */
  timeLimitMs: number;
  connectTimeoutMs: number;
}

/** The server's own limit comes first and says more; ours also holds for what has switched that off. */
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
    this.statement = new Statement(client, text, () => this.cut());
    const timeout = new SqlFailure('timeout', `the query took longer than ${limits.timeLimitMs} ms`);
    this.timer = setTimeout(() => this.give(timeout), limits.timeLimitMs + graceMs);
    signal.addEventListener('abort', this.giveUp, { once: true });
  }

  /** @param onEnd called once, when it has been ended or cut @throws SqlFailure */
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
    if (signal.aborted) session.giveUp();
    return session;
  }

  /** Ends the connection; a query that still runs is ended in the database too. */
  end(): void {
    if (this.statement.isRunning) this.cut();
    else if (this.leave()) this.client.end().catch(() => {});
  }

  private readonly giveUp = (): void =>
    this.give(new SqlFailure('cancelled', 'the caller cancelled the query or went away'));

  private give(failure: SqlFailure): void {
    this.statement.fail(failure);
    this.cut();
  }

  /** Asks on another connection, as the one of a running query does not listen. */
  private cut(): void {
    if (!this.leave()) return;
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

  private leave(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    clearTimeout(this.timer);
    this.signal.removeEventListener('abort', this.giveUp);
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
  client.on('error', () => {}); // The statement under way is told.
  await client.connect();
  return client;
}
