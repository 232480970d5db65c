/** Writes record batches as a stream. The consumer pulls: a batch is requested after the last one is consumed. */
import type { RecordBatch, Schema } from 'apache-arrow';
import { BatchEncoder, encodeSchema } from './batch-encoder.ts';
import type { Codec } from './compression/buffer-codec.ts';
import { endOfStream, framedMetadata, frameMessage } from './stream-format.ts';

/**
 * The stream as pieces, which are views of the batches and must not change until sent. Ends the source when the
 * consumer stops.
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
