/**
 * Writes record batches as a stream, pulled by whoever sends it: the next batch is asked for when the last one has
 * been taken.
 */
import type { RecordBatch, Schema } from 'apache-arrow';
import { BatchEncoder, encodeSchema } from './batch-encoder.ts';
import type { Codec } from './compression/codec.ts';
import { endOfStream, framedMetadata, frameMessage } from './stream-format.ts';

/**
 * The stream in pieces, which are views of the batches: they must not change while they are on their way. Ends the
 * source when the consumer stops.
 */
export async function* writeStream(
  schema: Schema,
  batches: AsyncIterable<RecordBatch> | Iterable<RecordBatch>,
  codec?: Codec,
): AsyncGenerator<Uint8Array, void, void> {
  yield framedMetadata(encodeSchema(schema));
  const encoder = new BatchEncoder(codec);
  for await (const batch of batches) {
    for (const message of encoder.encode(batch)) yield* frameMessage(message);
  }
  yield endOfStream();
}
