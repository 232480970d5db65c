/** One request as it was measured: the row of a samples file, and so the evidence behind every figure of a cell. */
import type { Delivered, StepRecord } from './gateway-api.ts';

export type SampleOutcome = 'completed' | 'refused' | 'error' | 'unfinished';

/**
 * What did not happen is null: an unfinished request has no `doneUs` and no `rttUs`, a completed one no `rule` and no
 * `error`.
 */
export interface Sample {
  /** Unique within the repetition. */
  id: string;
  /** Request class. */
  class: string;
  /** When the arrival process wanted it sent; µs since the load began. */
  intendedUs: number;
  /** When it was sent; µs since the load began. */
  sentUs: number | null;
  /** When its last byte came back; µs since the load began. */
  doneUs: number | null;
  /** Round-trip time in µs, measured by the gateway. */
  rttUs: number | null;
  /** HTTP status. */
  status: number | null;
  outcome: SampleOutcome;
  /** Rule that refused the request. */
  rule: string | null;
  /**
   * Error kind and the hop where it happened, e.g. `unreachable:router-2`. Of an unfinished request: the gateway's
   * deadline cut it off after this hop, `deadline:router-2`; null when it was still open at the end of the drain.
   */
  error: string | null;
  hops: number | null;
  hopsBetweenNodes: number | null;
  /** Bytes of refused data that had reached the target's node, by category. */
  exposureBytes: Record<string, number>;
  /** Every decision in flow order. */
  steps: StepRecord[];
  /** Digests of what each service received. Absent where services return none, and in files of older versions. */
  delivered?: Delivered;
}
