export * from './annotations.ts';
export * from './junit.ts';
export * from './markdown.ts';
