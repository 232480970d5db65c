/** Arrow's IPC format: record batches as messages and back, for streams over HTTP and for Flight. */
export * from './batch-decoder.ts';
export * from './batch-encoder.ts';
export * from './compression/codec.ts';
export * from './decode-message.ts';
export * from './layout.ts';
export * from './stream-format.ts';
export * from './stream-reader.ts';
export * from './stream-writer.ts';
