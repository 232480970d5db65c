/** Run folders: created, continued and read. */
export * from './disturbed.ts';
export * from './environment.ts';
export * from './flag-text.ts';
export * from './make-folder.ts';
export * from './requests-file.ts';
export * from './resume.ts';
export * from './run-folder.ts';
export * from './run-name.ts';
export * from './run-writer.ts';
export * from './sample.ts';
export * from './samples-file.ts';
