/**
 * A file of `store_sales` by `dsdgen`: one line for each row, fields end with `|`, an empty field is null. It is read
 * as it is.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { TopoBenchError } from '@topo-bench/core';
import type { RecordBatch } from 'apache-arrow';
import { openRegularFile } from '../regular-file.ts';
import { batchOfRows } from '../rows/batch-of-rows.ts';
import type { Row } from '../source.ts';
import { storeSalesSchema } from './store-sales-data.ts';
import { loadBatchRows, type TableData } from './table-data.ts';

/** @throws TopoBenchError `TB_FILE_NOT_FOUND` */
export async function datFileData(path: string): Promise<TableData & { fingerprint: string }> {
  const { handle } = await openRegularFile(path, 'give the path of a .dat file of dsdgen');
  await handle.close();
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return {
    schema: storeSalesSchema,
    fingerprint: `store_sales of a file, SHA-256 ${hash.digest('hex')}`,
    batches: () => batchesOf(path),
  };
}

/** @throws TopoBenchError `TB_SOURCE_VALUE`, with the number of the line */
async function* batchesOf(path: string): AsyncGenerator<RecordBatch, void, void> {
  const names = storeSalesSchema.fields.map(({ name }) => name);
  const input = createReadStream(path);
  let rows: Row[] = [];
  let line = 0;
  try {
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      line++;
      if (text === '') continue;
      rows.push(rowOf(text, names, path, line));
      if (rows.length < loadBatchRows) continue;
      yield batchOfRows(storeSalesSchema, rows);
      rows = [];
    }
    if (rows.length > 0) yield batchOfRows(storeSalesSchema, rows);
  } finally {
    input.destroy();
  }
}

function rowOf(text: string, names: readonly string[], path: string, line: number): Row {
  const fields = text.split('|');
  if (fields.length !== names.length + 1 || fields.at(-1) !== '') {
    const message = `${path}:${line}: got ${fields.length - 1} fields, expected ${names.length} that end with |`;
    throw new TopoBenchError('TB_SOURCE_VALUE', message, {
      hint: 'give a file of store_sales, and write it again if it is truncated',
    });
  }
  return Object.fromEntries(names.map((name, i) => [name, fields[i] === '' ? null : fields[i]]));
}
