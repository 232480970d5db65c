/** The SQL of heat maps in Ignite. */

/** Rows of a cell by writer, all on the same node: only its writer changes a row. */
export function createTable(table: string): string[] {
  return [
    `CREATE TABLE ${table} (cell BIGINT, writer VARCHAR, crossings BIGINT, event_time_ms BIGINT,
      PRIMARY KEY (cell, writer)) WITH "affinity_key=cell,cache_name=${table}"`,
    `CREATE INDEX ${table}_event_time ON ${table} (event_time_ms)`,
  ];
}

export function dropTable(table: string): string {
  return `DROP TABLE IF EXISTS ${table}`;
}

const total = 'h.cell, CAST(SUM(h.crossings) AS BIGINT), MAX(h.event_time_ms)';

/** Columns of values are arguments: the server compiles each statement once. */
export const statementsOf = (table: string) =>
  ({
    write: `MERGE INTO ${table} (cell, writer, crossings, event_time_ms)
      SELECT cell, CAST(? AS VARCHAR), crossings, event_time_ms
      FROM TABLE(cell BIGINT = ?, crossings BIGINT = ?, event_time_ms BIGINT = ?)`,
    readMany: `SELECT ${total} FROM TABLE(cell BIGINT = ?) t JOIN ${table} h ON h.cell = t.cell GROUP BY h.cell`,
    all: `SELECT ${total} FROM ${table} h GROUP BY h.cell`,
    // A subquery in `readMany` instead is evaluated again for each row.
    cellsOfRange: `SELECT DISTINCT cell FROM ${table} WHERE event_time_ms >= ? AND event_time_ms < ?`,
    // Three numbers of 8 bytes, and the writer.
    storage: `SELECT CAST(COALESCE(SUM(24 + LENGTH(writer)), 0) AS BIGINT) FROM ${table}`,
  }) as const;

export const version = 'SELECT version FROM SYS.NODES';

export const ownedPartitions = "SELECT COUNT(*) FROM SYS.PARTITION_STATES WHERE state = 'OWNING'";
