/** A table or query of PostgreSQL as a source: `pg` with a cursor. */
import type { RecordBatch } from 'apache-arrow';
import type pg from 'pg';
import type { OpenSourceOptions, ReadColumnsOptions, ReadRowsOptions, Row, Source } from '../source.ts';
import type { PostgresTable } from '../source-table.ts';
import { readColumns } from './columns/read-columns.ts';
import { connectPostgres } from './connect.ts';
import { readRows } from './read-rows.ts';
import { describeRelation, type PostgresRelation } from './schema.ts';

/** @throws as `openSource` */
export async function openPostgresSource(table: PostgresTable, { signal }: OpenSourceOptions): Promise<Source> {
  const client = await connectPostgres(table.url, signal);
  try {
    const relation = await describeRelation(client, table);
    return new PostgresSource(table.url, relation, signal, client);
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

class PostgresSource implements Source {
  readonly schema;
  private isClosed = false;

  /** @param idle the connection that has described the table; the next read uses it */
  constructor(
    private readonly url: string,
    private readonly relation: PostgresRelation,
    private readonly signal: AbortSignal | undefined,
    private idle: pg.Client | undefined,
  ) {
    this.schema = relation.schema;
  }

  async *rows(options: ReadRowsOptions): AsyncGenerator<readonly Row[], void, void> {
    const client = await this.take();
    let isWhole = false;
    try {
      yield* readRows(client, this.relation, options, this.signal);
      isWhole = true;
    } finally {
      if (isWhole) await this.giveBack(client);
      else await client.end().catch(() => {});
    }
  }

  columns(options: ReadColumnsOptions): AsyncIterable<RecordBatch> {
    return readColumns({ relation: this.relation, connect: () => this.take(), signal: this.signal }, options);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.idle?.end().catch(() => {});
    this.idle = undefined;
  }

  private async take(): Promise<pg.Client> {
    const client = this.idle;
    this.idle = undefined;
    return client ?? connectPostgres(this.url, this.signal);
  }

  private async giveBack(client: pg.Client): Promise<void> {
    if (this.isClosed || this.idle) await client.end().catch(() => {});
    else this.idle = client;
  }
}
