/** One measured request: the row of a samples file, and the evidence for every figure of a cell. */
import type { Delivered, StepRecord } from './gateway-api.ts';

export type SampleOutcome = 'completed' | 'refused' | 'error' | 'unfinished';

/**
 * Absent values are null: an unfinished request has no `doneUs` and no `rttUs`, a completed one no `rule` and no
 * `error`.
 */
export interface Sample {
  /** Unique within the repetition. */
  id: string;
  /** Request class. */
  class: string;
  /** Region of origin of the request. Absent in files of older versions, and for requests without one. */
  origin?: string;
  /** Send time drawn by the arrival process; µs since the load began. */
  intendedUs: number;
  /** Actual send time; µs since the load began. */
  sentUs: number | null;
  /** Arrival time of the last byte of the answer; µs since the load began. */
  doneUs: number | null;
  /** Round-trip time in µs, measured by the gateway. */
  rttUs: number | null;
  /**
   * Delay of the links between the client and its gateway, both ways, in µs: part of the response time, in none of the
   * other times. Null or absent without a link.
   */
  clientLinkUs?: number | null;
  /** HTTP status. */
  status: number | null;
  outcome: SampleOutcome;
  /** Rule that refused the request. */
  rule: string | null;
  /**
   * Error kind and the failed hop, e.g. `unreachable:router-2`. For an unfinished request: `deadline:router-2` when the
   * gateway's deadline expired after this hop; null when it was still open at the end of the drain.
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
