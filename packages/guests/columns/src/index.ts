/**
 * Tables under rules: seeded tables, their values as JSON, column governance, and the mapping of its errors to Flight.
 */
export { flightErrorOf, topoBenchErrorOf } from './errors.ts';
export { BatchMemory } from './governance/batch-memory.ts';
export { pointerSteps } from './governance/edits.ts';
export { GovernedStream } from './governance/governed-stream.ts';
export {
  extentOf,
  KeptColumns,
  type KeptReport,
  presence,
  type ReportedColumn,
  reportedColumn,
} from './governance/kept-columns.ts';
export type { AskedFacts, RowFacts, StreamRules } from './governance/stream-rules.ts';
export { objectOf, valueReader } from './table/json-values.ts';
export { differentBatches, SeededTable } from './table/seeded-table.ts';
