/** The items of a service in PostgreSQL as an SQL source. Every query has a session of its own, as a read-only role. */
import { SqlFailure, type SqlResult, type SqlRow, type SqlShape, type SqlSource } from '@topo-bench/columns/sql-source';
import { StoreRefused } from '../../store-error.ts';
import { queryFailure } from './query-failure.ts';
import { createReaderRole, type ReaderRole } from './reader-role.ts';
import { Session, type SessionLimits } from './session.ts';
import { Turns } from './turns.ts';

export interface SqlSourceOptions {
  /** URL of the database with the items, for a user who may create roles. */
  url: string;
  /** Readable columns of the table `items`. */
  columns: readonly string[];
  /** Max concurrent queries; further ones wait for their turn. */
  connections: number;
  timeLimitMs: number;
}

const connectTimeoutMs = 10_000;

/** @throws StoreRefused when the role cannot be created, or cannot log in */
export async function openSqlSource(options: SqlSourceOptions): Promise<SqlSource> {
  const role = await createReaderRole(options.url, options.columns);
  const source = new PostgresSource(role, options);
  try {
    await source.describe('SELECT 1', AbortSignal.timeout(connectTimeoutMs));
    return source;
  } catch (error) {
    await source.close();
    const isFailure = error instanceof SqlFailure && error.kind === 'unavailable';
    throw isFailure ? new StoreRefused('log in as the role that SQL of callers runs as', error.cause) : error;
  }
}

class PostgresSource implements SqlSource {
  private readonly turns: Turns;
  private readonly limits: SessionLimits;

  constructor(
    private readonly role: ReaderRole,
    { connections, timeLimitMs }: SqlSourceOptions,
  ) {
    this.turns = new Turns(connections);
    this.limits = { timeLimitMs, connectTimeoutMs };
  }

  async describe(text: string, signal: AbortSignal): Promise<SqlShape> {
    const session = await this.open(text, signal);
    try {
      return await session.statement.describe();
    } finally {
      session.end();
    }
  }

  async run(text: string, values: SqlRow, signal: AbortSignal): Promise<SqlResult> {
    const session = await this.open(text, signal);
    try {
      const { columns } = await session.statement.describe();
      return { columns, rows: rowsOf(session, values) };
    } catch (error) {
      session.end();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.role.remove();
  }

  private async open(text: string, signal: AbortSignal): Promise<Session> {
    // Texts of the protocol end with a zero byte: PostgreSQL would ignore the rest.
    if (text.includes('\0')) throw queryFailure({ code: '42601', message: 'the query contains a zero byte' }, text);
    return Session.open(this.role.url, this.limits, text, signal, await this.turns.take(signal));
  }
}

async function* rowsOf(session: Session, values: SqlRow): AsyncGenerator<readonly SqlRow[], void, void> {
  try {
    yield* session.statement.run(values);
  } finally {
    session.end();
  }
}
