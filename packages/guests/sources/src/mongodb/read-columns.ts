/** Columns of a collection, from the documents of the driver: a few rows at a time exist as objects. */
import { TopoBenchError } from '@topo-bench/core';
import type { RecordBatch, Schema } from 'apache-arrow';
import { batchOfRows } from '../rows/batch-of-rows.ts';
import { joinedBatches } from '../rows/joined-batches.ts';
import type { ReadColumnsOptions, Row } from '../source.ts';
import type { MongoRead } from './mongo-read.ts';
import { readRows } from './read-rows.ts';

/** Documents are fetched as they are read, by one cursor for any number of connections. @throws as `Source.columns` */
export async function* readColumns(
  read: MongoRead,
  { batchRows, limitRows }: ReadColumnsOptions,
): AsyncGenerator<RecordBatch, void, void> {
  const { schema } = read;
  let group: readonly Row[] = [];
  let before = 0;
  const groups = async function* (): AsyncGenerator<readonly Row[], void, void> {
    for await (const rows of readRows(read, { batchRows, ...(limitRows !== undefined && { limitRows }) })) {
      before += group.length;
      group = rows;
      yield rows;
    }
  };
  try {
    yield* joinedBatches(schema, groups(), batchRows);
  } catch (error) {
    if (!(error instanceof TopoBenchError) || error.code !== 'TB_SOURCE_VALUE') throw error;
    const place = group.findIndex((row) => !fits(schema, row));
    if (place < 0) throw error;
    const { _id: id } = group[place] as Row;
    const name = id === undefined ? `document ${before + place + 1} of the read` : `document ${JSON.stringify(id)}`;
    const hint = error.hint === undefined ? {} : { hint: error.hint };
    throw new TopoBenchError('TB_SOURCE_VALUE', `${name}, ${error.message}`, { ...hint, cause: error });
  }
}

function fits(schema: Schema, row: Row): boolean {
  try {
    batchOfRows(schema, [row]);
    return true;
  } catch {
    return false;
  }
}
