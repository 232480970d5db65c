/** The decisions of a batch by code; each row has a code. */
import type { Decision } from '@topo-bench/core/facts';
import type { RowMask } from './row-masks.ts';

/** If the rules read no column, every row has the code 0. */
export interface BatchDecisions {
  decisions: readonly (Decision | undefined)[];
  /** Number of rows by code. */
  counts: Int32Array;
  /** The rows with one of the codes; valid until the next batch is decided. */
  rowsOf(codes: readonly number[]): RowMask;
}
