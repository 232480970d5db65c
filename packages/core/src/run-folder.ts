/** A run as its readers have it: what is in `run.json` and `cells.json`. Plain data, wherever it was read from. */
import type { Cell, RunRecord } from './schema/result.ts';

export interface RunFolder {
  readonly folder: string;
  readonly record: RunRecord;
  /** In the order measured. */
  readonly cells: readonly Cell[];
}
