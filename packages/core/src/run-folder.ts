/** The contents of a run folder: `run.json` and `cells.json` as plain data, independent of their source. */
import type { Cell, RunRecord } from './schema/result.ts';

export interface RunFolder {
  readonly folder: string;
  readonly record: RunRecord;
  /** In the order measured. */
  readonly cells: readonly Cell[];
}
