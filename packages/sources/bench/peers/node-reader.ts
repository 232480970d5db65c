/** Reads a table in Node.js, as ordered. */
import { createInterface } from 'node:readline';
import type { RecordBatch } from 'apache-arrow';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { batchOfRows, openSource, type Row, type Source } from '../../src/index.ts';
import { CopyQuery } from '../../src/postgresql/columns/copy-query.ts';
import type { OpenTable, Order, ReadResult } from './order.ts';
import { openRecorded } from './recorded.ts';

const batchRows = 100_000;

async function openTable({ path, table, connections }: Order): Promise<OpenTable> {
  const source = await openSource(table);
  return {
    async read() {
      let rows = 0;
      let columns: string[] = [];
      if (path === 'rows') {
        let last: Row = {};
        for await (const some of source.rows({ batchRows: 10_000 })) {
          rows += some.length;
          last = some.at(-1) ?? last;
        }
        return { rows, columns: Object.keys(last) };
      }
      const batches = path === 'columns' ? source.columns({ batchRows, connections }) : rowsToColumns(source);
      for await (const { numRows, schema } of batches) {
        rows += numRows;
        columns = schema.names as string[];
      }
      return { rows, columns };
    },
    close: () => source.close(),
  };
}

async function* rowsToColumns(source: Source): AsyncGenerator<RecordBatch, void, void> {
  for await (const some of source.rows({ batchRows })) yield batchOfRows(source.schema, some);
}

/** The rows are those that the server counted; of the bytes, nothing is kept. */
async function openCopy({ path, table }: Order): Promise<OpenTable> {
  if (table.kind !== 'postgresql') throw new Error(`COPY: got ${table.kind}, expected postgresql`);
  const client = new pg.Client({ connectionString: table.url });
  await client.connect();
  const text = `COPY (SELECT * FROM ${table.table}) TO STDOUT (FORMAT binary)`;
  return {
    read: () => (path === 'copy' ? countCopy(client, text) : countCopyStream(client, text)),
    close: () => client.end(),
  };
}

function countCopy(client: pg.Client, text: string): Promise<ReadResult> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    new CopyQuery(text, {
      onData(_, from, to) {
        bytes += to - from;
      },
      onChunk() {},
      onDone: (rows) => (bytes > 0 ? resolve({ rows }) : reject(new Error('COPY sent no bytes'))),
      onFailure: reject,
    }).start(client);
  });
}

async function countCopyStream(client: pg.Client, text: string): Promise<ReadResult> {
  const stream = client.query(copyTo(text));
  let bytes = 0;
  for await (const chunk of stream) bytes += chunk.length;
  if (bytes === 0) throw new Error('COPY sent no bytes');
  return { rows: stream.rowCount };
}

const openPath = (order: Order): Promise<OpenTable> => {
  if (order.path.startsWith('copy')) return openCopy(order);
  return order.path.startsWith('recorded') ? openRecorded(order) : openTable(order);
};

console.log('"ready"');
let open: OpenTable | undefined;
for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line) as Order | 'read' | 'close';
  if (order === 'read') console.log(JSON.stringify(await open?.read()));
  else {
    await open?.close();
    open = order === 'close' ? undefined : await openPath(order);
    console.log(`"${open ? 'opened' : 'closed'}"`);
  }
}
