/** Arrow's IPC format: reads and writes streams and single messages. API reference: API.md */
export { BatchDecoder, type DecoderOptions } from './batch-decoder.ts';
export { BatchEncoder, encodeBatch, encodeSchema, type IpcMessage } from './batch-encoder.ts';
export { bitAt, bitmapBytes, bitsFrom, countOnes } from './bits.ts';
export type { Codec } from './compression/buffer-codec.ts';
export { type Codecs, loadCodec, loadCodecs } from './compression/codec.ts';
export { type BatchHeader, type CompressionName, decodeMessage, type MessageHeader } from './decode-message.ts';
export { type Layout, layoutOf } from './layout.ts';
export { arrowStreamType, endOfStream, frameMessage } from './stream-format.ts';
export { readStream, type StreamReaderOptions } from './stream-reader.ts';
export { writeStream } from './stream-writer.ts';
