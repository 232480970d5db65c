/** Results: cells built from samples and judged, and the run folders that keep them. */
export * from './cell-of-samples.ts';
export * from './cpu-per-request.ts';
export * from './disturbed.ts';
export * from './environment.ts';
export * from './flag-text.ts';
export * from './generator-resources.ts';
export * from './lag-limit.ts';
export * from './make-folder.ts';
export * from './requests-file.ts';
export * from './resume.ts';
export * from './run-folder.ts';
export * from './run-name.ts';
export * from './run-writer.ts';
export * from './samples-file.ts';
export * from './spans-file.ts';
export * from './validity.ts';
