/** Columns over HTTP: the resource `/arrow`, as an Arrow stream, JSON or NDJSON. */
export { type ArrowSource, answerArrow } from './arrow-resource.ts';
export { jsonRows } from './json-rows.ts';
