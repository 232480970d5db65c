/** A list of runs with the figures of equal cells over time. */
export * from './find-run-folders.ts';
export * from './read-run-list.ts';
export * from './run-list.ts';
export * from './run-list-json.ts';
export * from './run-list-lines.ts';
export * from './run-list-page.ts';
