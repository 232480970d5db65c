/** Formats of a gate: annotations, JUnit and Markdown. */
export * from './annotations.ts';
export * from './junit.ts';
export * from './markdown.ts';
