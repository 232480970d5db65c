/** The statement that reads a table or query of PostgreSQL, and the Arrow schema of its result. */

import { TopoBenchError } from '@topo-bench/core';
import { Field, Schema } from 'apache-arrow';
import pg from 'pg';
import { notFound } from '../source-error.ts';
import { nameOfTable, type PostgresTable } from '../source-table.ts';
import { isRefusal, readFailure } from './read-failure.ts';
import { arrowTypeOf, type PostgresColumn } from './types.ts';

export interface PostgresRelation {
  /** A SELECT of all rows, without a trailing semicolon. */
  select: string;
  /** Quoted name; undefined for a query. */
  table: string | undefined;
  /** For messages. */
  name: string;
  columns: readonly PostgresColumn[];
  schema: Schema;
}

/** @throws TopoBenchError `TB_SOURCE_NOT_FOUND`, `TB_SOURCE_TYPE`, `TB_SOURCE_QUERY`, `TB_SOURCE_LOST` */
export async function describeRelation(client: pg.Client, table: PostgresTable): Promise<PostgresRelation> {
  const name = nameOfTable(table);
  const { select, table: quoted } = await selectOf(client, table);
  const { fields } = await client
    .query({ text: `SELECT * FROM (${select}) AS source LIMIT 0` })
    .catch((error: unknown) => {
      throw readFailure(name, 0, error);
    });
  const columns = fields.map(({ name, dataTypeID, dataTypeModifier }) => ({
    name,
    typeId: dataTypeID,
    modifier: dataTypeModifier,
  }));
  const typeNames = await typeNamesOf(client, columns).catch((error: unknown) => {
    throw readFailure(name, 0, error);
  });
  const schema = new Schema(
    columns.map((column) => new Field(column.name, arrowTypeOf(column, typeNames.get(column.typeId) ?? '?'), true)),
  );
  return { select, table: quoted, name, columns, schema };
}

async function selectOf(
  client: pg.Client,
  { table, query }: PostgresTable,
): Promise<{ select: string; table: string | undefined }> {
  if (query !== undefined) return { select: query.trim().replace(/;$/, ''), table: undefined };
  if (table === undefined)
    throw new TopoBenchError('TB_USAGE', 'a PostgreSQL source: got neither table nor query, expected one of them');
  const quoted = await relationName(client, table);
  return { select: `SELECT * FROM ${quoted}`, table: quoted };
}

/** The quoted name: as in SQL, else spelled exactly as given. */
async function relationName(client: pg.Client, table: string): Promise<string> {
  for (const spelled of [table, pg.escapeIdentifier(table)]) {
    const { rows } = await client
      .query<{ name: string | null }>('SELECT to_regclass($1)::text AS name', [spelled])
      .catch((error: unknown) => {
        // The text is no name in SQL.
        if (isRefusal(error)) return { rows: [] };
        throw readFailure(`table ${table}`, 0, error);
      });
    if (rows[0]?.name) return rows[0].name;
  }
  throw notFound(`table ${table}`, 'correct its name, with the schema if it is not in the search path, or load it');
}

async function typeNamesOf(client: pg.Client, columns: readonly PostgresColumn[]): Promise<Map<number, string>> {
  const { rows } = await client.query<{ id: number; name: string }>(
    'SELECT oid::int8::float8 AS id, format_type(oid, NULL) AS name FROM pg_type WHERE oid = ANY($1::oid[])',
    [columns.map(({ typeId }) => typeId)],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
