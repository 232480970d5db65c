/** Every way from a table to Arrow. A new one is a new line: the property test reads each kind of store by each. */
import { Table } from 'apache-arrow';
import { batchOfRows, openSource, type SourceKind, type SourceTable } from '../../src/index.ts';
import { kinds } from '../fixtures/test-stores.ts';

export interface Path {
  name: string;
  /** Stores that it can read. */
  kinds: readonly SourceKind[];
  read(table: SourceTable): Promise<Table>;
}

/** Small: several batches for few rows. */
const batchRows = 7;

export const paths: readonly Path[] = [
  { name: 'rows of the driver', kinds, read: readByRows },
  { name: 'columns', kinds, read: (table) => readByColumns(table, 1) },
  { name: 'columns by two connections', kinds, read: (table) => readByColumns(table, 2) },
];

async function readByRows(table: SourceTable): Promise<Table> {
  const source = await openSource(table);
  try {
    const batches = [];
    for await (const rows of source.rows({ batchRows })) {
      if (rows.length > 0) batches.push(batchOfRows(source.schema, rows));
    }
    return new Table(source.schema, batches);
  } finally {
    await source.close();
  }
}

async function readByColumns(table: SourceTable, connections: number): Promise<Table> {
  const source = await openSource(table);
  try {
    const batches = [];
    for await (const batch of source.columns({ batchRows, connections })) batches.push(batch);
    return new Table(source.schema, batches);
  } finally {
    await source.close();
  }
}
