/** Reads record batches from the bytes of a stream, in chunks of any size and from untrusted sources. */
import type { RecordBatch, Schema } from 'apache-arrow';
import { malformed } from '../errors.ts';
import { BatchDecoder, type DecoderOptions } from './batch-decoder.ts';
import { ByteCollector } from './byte-collector.ts';
import { decodeMessage } from './decode-message.ts';
import { continuation, prefixBytes } from './stream-format.ts';

export interface StreamReaderOptions extends DecoderOptions {
  /** Max metadata size of a message in bytes. Default: 16 MiB. */
  maxMetadataBytes?: number;
  /** Called with the schema before the first batch. */
  onSchema?: (schema: Schema) => void;
}

/**
 * The batches of a stream, read on demand. Ends the source when the consumer stops.
 * @throws ArrowError `ARROW_MALFORMED`, also when the stream has no end marker
 */
export async function* readStream(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: StreamReaderOptions = {},
): AsyncGenerator<RecordBatch, void, void> {
  const { maxMetadataBytes = 16 * 1024 ** 2, maxMessageBytes = 1024 ** 3, onSchema } = options;
  const decoder = new BatchDecoder(options);
  const bytes = new ByteCollector(source);
  try {
    for (;;) {
      const prefix = await bytes.take(prefixBytes);
      const view = new DataView(prefix.buffer, prefix.byteOffset, prefixBytes);
      if (view.getUint32(0, true) !== continuation) throw malformed('a message has no continuation marker');
      const size = view.getUint32(4, true);
      if (size === 0) break;
      if (size > maxMetadataBytes)
        throw malformed(`metadata of ${size} bytes exceeds the limit of ${maxMetadataBytes}`);
      const message = decodeMessage(await bytes.take(size));
      if (message.bodyBytes > maxMessageBytes) {
        throw malformed(`a body of ${message.bodyBytes} bytes exceeds the limit of ${maxMessageBytes}`);
      }
      const batch = decoder.take(message, await bytes.take(message.bodyBytes));
      if (message.kind === 'schema') onSchema?.(message.schema);
      if (batch) yield batch;
    }
    if (!decoder.schema) throw malformed('the stream ends without a schema');
    if (!(await bytes.isAtEnd())) throw malformed('bytes follow the end of the stream');
  } finally {
    await bytes.close();
  }
}
