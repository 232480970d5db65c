/**
 * Takes the batches of a stream as in the job, and counts their rows and bytes: the work of our receivers, as of
 * pyarrow's.
 */
import type { RecordBatch } from 'apache-arrow';
import type { Taking } from '../job.ts';
import { bytesOf, noteReceived } from './our-account.ts';

interface Source {
  chunks(): AsyncIterable<{ batch?: RecordBatch }>;
  borrowedChunks(): AsyncIterable<{ batch?: RecordBatch }>;
}

export async function countRows(source: Source, taking: Taking): Promise<number> {
  const kept: RecordBatch[] = [];
  let rows = 0;
  const count = (batch: RecordBatch): void => {
    rows += batch.numRows;
    noteReceived(bytesOf(batch));
  };
  for await (const { batch } of taking === 'borrowed' ? source.borrowedChunks() : source.chunks()) {
    if (batch && taking === 'kept') kept.push(batch);
    else if (batch) count(batch);
  }
  for (const batch of kept) count(batch);
  return rows;
}
