/**
 * Connections that share the parts of a table: each reads a part by COPY, then the next one that is left. Its batches
 * continue over the parts.
 */
import type { RecordBatch } from 'apache-arrow';
import type pg from 'pg';
import { BatchQueue } from '../../columns/batch-queue.ts';
import { readFailure } from '../read-failure.ts';
import type { PostgresRelation } from '../schema.ts';
import { CopyQuery } from './copy-query.ts';
import { damagedStream } from './damaged-stream.ts';
import { decoderOf } from './decoder-of-column.ts';
import { TupleDecoder } from './tuple-decoder.ts';

export interface CopyRead {
  relation: PostgresRelation;
  /** Ended with the read. */
  clients: readonly pg.Client[];
  /** SELECT statements, one for each part. */
  selects: readonly string[];
  batchRows: number;
  signal: AbortSignal | undefined;
}

/** Batches in the order of arrival. @throws as `Source.columns` */
export async function* readCopies(read: CopyRead): AsyncGenerator<RecordBatch, void, void> {
  const queue = new BatchQueue<RecordBatch>();
  const selects = read.selects.values();
  let open = read.clients.length;
  const onEnd = (): void => void (--open === 0 && queue.close());
  const readers = read.clients.map((client) => new CopyReader(read, client, selects, queue, onEnd));
  try {
    for (const reader of readers) reader.next();
    yield* queue.items(() => {
      for (const { query } of readers) query?.resume();
    });
  } finally {
    for (const { query } of readers) query?.abandon();
    await Promise.all(read.clients.map((client) => client.end().catch(() => {})));
  }
}

/** One connection. */
class CopyReader {
  query: CopyQuery | undefined;
  private readonly decoder: TupleDecoder;
  /** Tuples of the parts before. */
  private before = 0;

  /** @param selects parts that are left, shared with other connections @param onEnd called when none is left */
  constructor(
    private readonly read: CopyRead,
    private readonly client: pg.Client,
    private readonly selects: Iterator<string>,
    private readonly queue: BatchQueue<RecordBatch>,
    private readonly onEnd: () => void,
  ) {
    const { relation, batchRows } = read;
    const { schema, columns } = relation;
    const decoders = schema.fields.map(({ type, name }, i) =>
      decoderOf(columns[i]?.typeId as number, type, name, batchRows),
    );
    this.decoder = new TupleDecoder(schema, decoders, batchRows, (batch) => queue.push(batch));
  }

  /** Starts the next part, or ends the work of this connection. */
  next(): void {
    const { value: select, done } = this.selects.next();
    if (done) {
      this.decoder.flush();
      this.onEnd();
      return;
    }
    this.decoder.begin();
    this.before = this.decoder.tuples;
    this.query = new CopyQuery(`COPY (${select}) TO STDOUT (FORMAT binary)`, {
      onData: (chunk, from, to) => this.decoder.push(chunk, from, to),
      onChunk: () => this.queue.isFull && this.query?.pause(),
      onDone: (rows) => this.finishPart(rows),
      onFailure: (error) => this.queue.fail(this.failureOf(error)),
    });
    this.query.start(this.client);
  }

  /** A COPY is whole only with its trailer, and with as many tuples as the server counted. */
  private finishPart(rows: number): void {
    try {
      this.decoder.end();
      const tuples = this.decoder.tuples - this.before;
      if (rows !== tuples) throw damagedStream(`got ${tuples} tuples, expected ${rows}`);
      this.next();
    } catch (error) {
      this.queue.fail(error);
    }
  }

  private failureOf(error: unknown): unknown {
    const { signal, relation } = this.read;
    if (signal?.aborted) return signal.reason;
    const isOurs = error instanceof Error && 'code' in error && String(error.code).startsWith('TB_');
    return isOurs ? error : readFailure(relation.name, this.decoder.tuples, error);
  }
}
