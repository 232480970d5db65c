/** A small stream processor for sums by key and event-time window, with guarantees across crashes. */
export * from './answers.ts';
export * from './event-batch.ts';
export * from './gps-source.ts';
export * from './heat-map-source.ts';
export * from './meter.ts';
export * from './pause.ts';
export * from './query-job.ts';
export * from './run-job.ts';
export * from './sink.ts';
export * from './source.ts';
export * from './source-lag.ts';
export * from './stream-job.ts';
export * from './watermark.ts';
