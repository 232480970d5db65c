/**
 * A table in ranges of its blocks. Conditions on `ctid` let the server read the blocks of a range and no others
 * (PostgreSQL 14 and later; earlier versions filter all rows). The last range is open: each row is in exactly one.
 */
import type pg from 'pg';

/** More ranges than connections balance ranges of different speed. */
const rangesPerConnection = 4;

/** @param table quoted name @returns SELECT statements, in the order of the blocks */
export async function selectsOfRanges(client: pg.Client, table: string, connections: number): Promise<string[]> {
  const { rows } = await client.query<{ blocks: number }>(
    `SELECT (pg_relation_size(oid) / current_setting('block_size')::int)::float8 AS blocks FROM pg_class
     WHERE oid = $1::regclass AND relkind IN ('r', 'm', 'p')`,
    [table],
  );
  // Views and foreign tables have no blocks.
  if (!rows[0]) return [`SELECT * FROM ${table}`];
  const { blocks } = rows[0];
  const count = Math.max(1, Math.min(blocks, connections * rangesPerConnection));
  const edge = (index: number): number => Math.floor((index * blocks) / count);
  return Array.from({ length: count }, (_, i) => {
    const end = i + 1 < count ? ` AND ctid < '(${edge(i + 1)},0)'` : '';
    return `SELECT * FROM ${table} WHERE ctid >= '(${edge(i)},0)'${end}`;
  });
}
